"""Every operation of the OpenAPI document keeps its word, whatever is sent to it."""

import socket
import threading
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

import pytest
import schemathesis
import uvicorn
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.generation import GenerationMode
from schemathesis.schemas import APIOperation, BaseSchema
from schemathesis.specs.openapi.checks import positive_data_acceptance

from haozhi.app import open_app
from haozhi.settings import load_settings
from haozhi.web.server import build
from haozhi.web.service import AppService
from tests.fake_service import FakeService

EXAMPLES = 15
LIMIT_S = 120
REFUSALS: list[Any] = [positive_data_acceptance, not_a_server_error]


@pytest.fixture(scope="module", params=["fake", "without models"])
def described(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[BaseSchema]:
    """The document of a server on a port of its own, over a fake or over a real, empty store."""
    folder = tmp_path_factory.mktemp("described")
    settings = load_settings(data_dir=folder, model_dir=folder / "models")
    service = FakeService() if request.param == "fake" else AppService(open_app(settings))
    server = uvicorn.Server(uvicorn.Config(build(service), log_level="error"))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        port = listener.getsockname()[1]
        yield schemathesis.openapi.from_url(f"http://127.0.0.1:{port}/openapi.json")
        server.should_exit = True
        thread.join()


@pytest.mark.parametrize("mode", list(GenerationMode))
def test_every_operation_answers_as_described(described: BaseSchema, mode: GenerationMode) -> None:
    """Right requests and wrong ones get what the document names, and never a 500."""
    operations = [each.ok() for each in described.get_all_operations() if isinstance(each, Ok)]
    assert len(operations) > 10
    for operation in operations:
        if mode is GenerationMode.POSITIVE or operation.body or operation.query:
            _check(operation, mode)


def _check(operation: APIOperation[Any, Any, Any, Any], mode: GenerationMode) -> None:
    """Call it with what the document allows, or with what it forbids.

    What is allowed may still be refused: a blank question, an answer that is not there, and any
    question (503) while there is no model.
    """

    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
    @given(operation.as_strategy(generation_mode=mode))
    def check(case: schemathesis.Case[Any]) -> None:
        response = case.call(timeout=LIMIT_S)
        assert response.status_code != HTTPStatus.INTERNAL_SERVER_ERROR
        case.validate_response(response, excluded_checks=REFUSALS)

    check()
