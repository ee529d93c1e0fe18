// An answer on the page: sources and the words that rest on them light up together.
export function attend(stage, words) {
  const answer = stage.querySelector("#answer");
  if (!answer) return;
  const linked = [...answer.querySelectorAll("[data-rests]")];
  const card = answer.querySelector("#hover");
  for (const element of linked) {
    const light = () => {
      const ids = element.dataset.rests.split(" ").filter(Boolean);
      for (const other of linked) {
        other.classList.toggle("lit", other.dataset.rests.split(" ").some((id) => ids.includes(id)));
      }
      if (element.matches(".chip")) showCard(card, element);
    };
    const dim = () => {
      for (const other of linked) other.classList.remove("lit");
      if (card) card.hidden = true;
    };
    element.addEventListener("pointerenter", light);
    element.addEventListener("pointerleave", dim);
    element.addEventListener("focus", light);
    element.addEventListener("blur", dim);
    element.addEventListener("keydown", (event) => event.key === "Escape" && dim());
  }
  copying(answer, words);
  tracing(answer);
}

// The source beside its chip; the list below has the same for who cannot hover.
function showCard(card, chip) {
  const source = document.getElementById(chip.hash.slice(1));
  if (!card || !source) return;
  const work = document.createElement("cite");
  work.textContent = source.closest("ul").previousElementSibling.textContent;
  card.replaceChildren(work, ...[...source.children].map((child) => child.cloneNode(true)));
  card.hidden = false;
  const at = chip.getBoundingClientRect();
  const left = Math.min(at.left, document.documentElement.clientWidth - card.offsetWidth - 16);
  card.style.left = `${Math.max(left, 16) + window.scrollX}px`;
  card.style.top = `${at.bottom + 8 + window.scrollY}px`;
}

function copying(answer, words) {
  const button = answer.querySelector(".copy");
  const text = answer.querySelector("#copied");
  if (!text || !navigator.clipboard) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text.content.textContent.trim());
    button.textContent = words.copied;
  });
}

// "Who taught you this?" of the words that are selected in the answer.
function tracing(answer) {
  const button = answer.querySelector("#taught");
  const form = answer.querySelector(".trace form");
  if (!button) return;
  document.addEventListener("selectionchange", () => {
    const selection = document.getSelection();
    const text = selection.toString().trim();
    button.hidden = !text || !answer.querySelector("p.answer").contains(selection.anchorNode);
    if (button.hidden) return;
    const at = selection.getRangeAt(0).getBoundingClientRect();
    button.style.left = `${at.left + window.scrollX}px`;
    button.style.top = `${at.bottom + 6 + window.scrollY}px`;
    form.elements.claim.value = text;
  });
  button.addEventListener("pointerdown", (event) => event.preventDefault());
  button.addEventListener("click", () => form.requestSubmit());
}
