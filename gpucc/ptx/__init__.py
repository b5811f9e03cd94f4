"""The PTX IR: values, scanner, grammar, printer, instruction table, verifier."""
