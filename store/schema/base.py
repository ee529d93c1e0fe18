"""The declarative base, the naming convention and the integer types shared by all tables."""

from typing import Annotated

from sqlalchemy import BigInteger, Integer, MetaData
from sqlalchemy.orm import DeclarativeBase, mapped_column

# SQLite only auto-increments a column declared exactly INTEGER; PostgreSQL needs 64 bits.
Id = BigInteger().with_variant(Integer, "sqlite")

#: A surrogate 64-bit key that the database assigns; below 2^53 so that JSON readers keep it exact.
IntId = Annotated[int, mapped_column(Id, primary_key=True, autoincrement=True)]

#: Microseconds since 1970-01-01T00:00Z.
Micros = Annotated[int, mapped_column(BigInteger)]


class Base(DeclarativeBase):
    """Base of all models; constraint names are stable so that migrations can drop them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
