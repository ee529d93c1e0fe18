"""Credit reports as people, programs and auditors read them; every file renders one value."""
