// Writes an ONNX model of one node, without a library: a model is a protobuf
// message (onnx.proto3), and a message is its fields, each a key (number and
// wire type), then a varint, 4 bytes, or a length and bytes.

const varint = (value) => {
  const bytes = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
};
const key = (number, wireType) => varint((number << 3) | wireType);
const integer = (number, value) => Buffer.concat([key(number, 0), varint(value)]);
const bytes = (number, ...content) => {
  const all = Buffer.concat(content);
  return Buffer.concat([key(number, 2), varint(all.length), all]);
};
const text = (number, value) => bytes(number, Buffer.from(value));

// AttributeProto: name = 1, i = 3, type = 20, where INT = 2.
const attribute = ([name, value]) =>
  bytes(5, text(1, name), integer(3, value), integer(20, 2));

// ValueInfoProto: name = 1, type = 2 { tensor_type = 1 { elem_type = 1 (FLOAT
// = 1), shape = 2 { dim = 1 { dim_value = 1 } } } }.
const tensor = (number, { name, shape }) => {
  const dims = shape.map((size) => bytes(1, integer(1, size)));
  return bytes(number, text(1, name),
    bytes(2, bytes(1, integer(1, 1), bytes(2, ...dims))));
};

// A model with one node on float tensors. `domain` is that of its operator and
// `opset` the domain's version; `inputs` and `outputs` are lists of { name,
// shape }; attributes are integers.
export function oneNodeModel({ operator, domain, opset, attributes, inputs, outputs }) {
  const node = [
    ...inputs.map(({ name }) => text(1, name)),
    ...outputs.map(({ name }) => text(2, name)),
    text(4, operator),
    ...Object.entries(attributes).map(attribute),
    text(7, domain),
  ];
  const graph = [
    bytes(1, ...node),
    text(2, operator),
    ...inputs.map((input) => tensor(11, input)),
    ...outputs.map((output) => tensor(12, output)),
  ];
  const operatorSet = (name, version) => bytes(8, text(1, name), integer(2, version));
  const sets = domain === '' ? [operatorSet('', opset)]
    : [operatorSet('', 17), operatorSet(domain, opset)];
  return Buffer.concat([integer(1, 10), bytes(7, ...graph), ...sets]);  // ir_version 10
}
