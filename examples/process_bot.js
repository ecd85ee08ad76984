// A program that plays, for Node.js; docs/processes.md explains the lines it reads and writes.
// Try it with: mjenv selfplay "process:node examples/process_bot.js" --out games.jsonl
const lines = require("readline").createInterface({ input: process.stdin });
const say = (answer) => console.log(JSON.stringify(answer));

const order = { win: -4, kong: -3, pung: -2, pass: -1, quit: 99 };

// What an action gives away: tiles of a suit, or copies and neighbours of a tile.
function cost(action, hand) {
  const [verb, what] = action.split(" ");
  if (verb === "void") return hand.filter((tile) => tile[1] === what).length;
  if (verb in order) return order[verb];
  const near = (tile) => tile[1] === what[1] && Math.abs(tile[0] - what[0]) < 3;
  return hand.filter(near).length;
}

function choose({ legal, view }) {
  const cheaper = (best, action) => (cost(action, view.hand) < cost(best, view.hand) ? action : best);
  return legal.reduce(cheaper);
}

lines.on("line", (line) => {
  const told = JSON.parse(line);
  if (told.type === "hello") say({ type: "hello", protocol: 1, name: "neighbours_js/1" });
  if (told.type === "question") say({ id: told.id, action: choose(told) });
});
