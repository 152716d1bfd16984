"""Kilnhouse service: reads thermocouples, compares them with firing schedules, publishes frames."""
