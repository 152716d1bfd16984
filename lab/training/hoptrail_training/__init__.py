"""Training of Hoptrail's joint encoder: one small transformer that reads question, chain and candidate together."""
