"""One module per format. Damage may raise anything in them: `ingest.readers` expects it."""
