"""Analyses of PTX: functions and classes from a function of the IR to values about it."""
