type Triple = readonly [number, number, number]

/** Colour spaces by what red, green and blue are in XYZ under D50, and the exponent of their curves. */
export const SPACES = {
  'Adobe RGB': {
    red: [0.60974, 0.31111, 0.01947],
    green: [0.20528, 0.62567, 0.06087],
    blue: [0.14919, 0.06322, 0.74457],
    gamma: 2.2,
  },
  'Display P3': {
    red: [0.51512, 0.2412, -0.00105],
    green: [0.29198, 0.69225, 0.04189],
    blue: [0.1571, 0.06657, 0.78407],
    gamma: 2.2,
  },
  ProPhoto: { red: [0.79767, 0.28804, 0], green: [0.13519, 0.71188, 0], blue: [0.03135, 0.00009, 0.82491], gamma: 1.8 },
  'Rec 2020': {
    red: [0.67348, 0.27904, -0.00194],
    green: [0.16567, 0.67534, 0.02998],
    blue: [0.12505, 0.04561, 0.79688],
    gamma: 2.4,
  },
  'Red for green': {
    red: [0.38515, 0.71687, 0.09708],
    green: [0.43607, 0.22249, 0.01392],
    blue: [0.14307, 0.06061, 0.7141],
    gamma: 2.2,
  },
} as const satisfies Readonly<Record<string, { red: Triple; green: Triple; blue: Triple; gamma: number }>>

const WHITE: Triple = [0.9642, 1, 0.8249]

/** The profile of a colour space, as cameras and editors embed it. */
export function iccProfile(name: keyof typeof SPACES): Buffer {
  const { red, green, blue, gamma } = SPACES[name]
  const curve = Buffer.concat([text('curv'), u32(0, 1), u16(Math.round(gamma * 256)), u16(0)])
  const tags: readonly (readonly [string, Buffer])[] = [
    ['desc', description(name)],
    ['cprt', Buffer.concat([text('text'), u32(0), text('None\0')])],
    ['wtpt', xyz(WHITE)],
    ['rXYZ', xyz(red)],
    ['gXYZ', xyz(green)],
    ['bXYZ', xyz(blue)],
    ...['rTRC', 'gTRC', 'bTRC'].map((tag) => [tag, curve] as const),
  ]
  let at = 128 + 4 + tags.length * 12
  const table = [u32(tags.length)]
  const data = tags.map(([tag, content]) => {
    const bytes = Buffer.concat([content, Buffer.alloc((4 - (content.length % 4)) % 4)])
    table.push(Buffer.concat([text(tag), u32(at, content.length)]))
    at += bytes.length
    return bytes
  })
  const head = Buffer.alloc(128)
  head.writeUInt32BE(at, 0)
  head.writeUInt32BE(0x0210_0000, 8)
  head.write('mntrRGB XYZ ', 12)
  head.write('acsp', 36)
  xyz(WHITE).copy(head, 68, 8)
  return Buffer.concat([head, ...table, ...data])
}

/** The text, without translations. */
const description = (name: string): Buffer =>
  Buffer.concat([text('desc'), u32(0, name.length + 1), text(`${name}\0`), Buffer.alloc(4 + 4 + 2 + 1 + 67)])

const xyz = (values: Triple): Buffer =>
  Buffer.concat([text('XYZ '), u32(0, ...values.map((value) => Math.round(value * 65_536) >>> 0))])
const text = (value: string): Buffer => Buffer.from(value, 'latin1')

function u32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, index * 4)
  return bytes
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}
