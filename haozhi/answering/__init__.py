"""From a question and its context to an answer: prompt, candidates, and the choice among them."""
