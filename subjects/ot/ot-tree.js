// What users can do to the nodes of a list, for `colobus ot check --js node_modules/ot-tree --generator`.
const node = (name) => ({ data: { name } });
const places = (tree, more) => [...Array(tree.length + more).keys()].map((at) => [at]);
exports.documents = (size) => [[], ["a"], ["a", "b"], ["a", "b", "c"]].slice(0, size + 1).map((names) => names.map(node));
exports.kinds = {
  insert: (tree) => places(tree, 1).map((path) => [{ type: "insert_node", path, newNode: node("new") }]),
  remove: (tree) => places(tree, 0).map((path) => [{ type: "remove_node", path, removedNode: tree[path[0]] }]),
  move: (tree) => places(tree, 0).flatMap((fromPath) =>
    places(tree, 0).filter(([to]) => to !== fromPath[0]).map((toPath) => [{ type: "move_node", fromPath, toPath }])),
};
