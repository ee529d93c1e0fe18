// The ask page: an answer while it comes about. Without this module the form works as it is.
import { attend } from "/static/answer.js";
import { events } from "/static/events.js";

const form = document.getElementById("ask");
const field = form.elements.question;
const stage = document.getElementById("stage");
const words = JSON.parse(document.getElementById("words").textContent);
// How often a lost stream is taken up again, and how long after it was lost.
const RESUMED = 3;
const PAUSE_MS = 1000;
let asking = null;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (field.value.trim()) ask(field.value);
});
// Enter asks, Shift+Enter is a new line; an Enter that ends a composition (pinyin) does neither.
field.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
  event.preventDefault();
  form.requestSubmit();
});
window.addEventListener("popstate", () => location.reload());
attend(stage, words);

async function ask(question) {
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  const live = show("live");
  live.querySelector(".question").textContent = question;
  live.querySelector(".stop").addEventListener("click", () => {
    asking.abort();
    say(live, words.live.stopped);
    finish(live);
  });
  const known = {};
  for (let tries = 0; tries <= RESUMED; tries += 1) {
    try {
      if (await follow(live, question, signal, known)) return;
    } catch (error) {
      console.warn(error);
    }
    if (signal.aborted) return;
    await new Promise((resolve) => { setTimeout(resolve, PAUSE_MS); });
  }
  fail(words.live.lost);
}

// Whether the stream came to its end. `known.id` resumes an answer whose stream was lost.
async function follow(live, question, signal, known) {
  const response = await fetch("/v1/ask/stream", {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "text/event-stream",
      ...(known.id && { "Last-Event-ID": known.id }),
    },
    body: JSON.stringify({ question }),
    signal,
  });
  if (!response.ok) return fail(told(await response.json()));
  let draft;
  for await (const { name, data } of events(response.body)) {
    if (name === "meta") known.id = data.answer_id;
    if (name === "queue") say(live, data.position ? words.live.waiting.replace("{count}", data.position) : words.live.searching);
    if (name === "evidence") cards(live, data.context);
    if (name === "delta") {
      const answer = live.querySelector(".answer");
      answer.textContent = data.draft === draft ? answer.textContent + data.text : data.text;
      draft = data.draft;
    }
    if (name === "attribution" && data.tier === "provisional") await settle(known.id, signal);
    if (name === "done") {
      await settle(known.id, signal);
      return true;
    }
    if (name === "error") return fail(told(data.problem));
  }
  return false;
}

// The stored answer as its page shows it, in place of what was told so far.
async function settle(id, signal) {
  const response = await fetch(`/answers/${id}`, { headers: { Accept: "text/html" }, signal });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  stage.replaceChildren(document.adoptNode(page.getElementById("answer")));
  document.title = page.title;
  if (location.pathname !== `/answers/${id}`) history.pushState(null, "", `/answers/${id}`);
  attend(stage, words);
}

function show(template) {
  const copy = document.getElementById(template).content.cloneNode(true).firstElementChild;
  stage.replaceChildren(copy);
  return copy;
}

function cards(live, context) {
  say(live, words.live.writing);
  live.querySelector(".found").hidden = !context.length;
  live.querySelector(".cards").replaceChildren(...context.map((entry) => {
    const card = document.getElementById("card").content.cloneNode(true).firstElementChild;
    const text = entry.text ?? words.displays[entry.display];
    card.querySelector("q").textContent = entry.display === "cut" ? `${text}…` : text;
    card.querySelector(".by").textContent = entry.authors.map((a) => a.name ?? a.id).join(", ") || words.unknown;
    card.querySelector("cite").textContent = entry.work ? `· ${entry.work.title}` : "";
    return card;
  }));
}

const say = (live, text) => { live.querySelector(".said").textContent = text; };
const told = (problem) => problem.detail ?? problem.title;

function fail(text) {
  show("failed").querySelector("p").textContent = text;
  return true;
}

function finish(live) {
  live.removeAttribute("aria-busy");
  live.querySelector(".stop").remove();
}
