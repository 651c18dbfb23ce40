import fc from 'fast-check'
import { bannerZip } from '../support/media/banner-zip.ts'
import { mp3 } from '../support/media/mp3.ts'
import { mp4 } from '../support/media/mp4.ts'
import { webm } from '../support/media/webm.ts'
import { png } from '../support/product.ts'

/** Small valid files by kind. */
export type Fixtures = Readonly<Record<'banner' | 'native' | 'audio' | 'video' | 'webm' | 'zip' | 'list' | 'audience', Buffer>>

export const makeFixtures = async (): Promise<Fixtures> => ({
  banner: await png(300, 250),
  native: await png(1200, 627),
  audio: mp3({ seconds: 20, bitrates: [32] }),
  video: mp4({ width: 640, height: 360, seconds: 2 }),
  webm: webm({ width: 640, height: 360, seconds: 2 }),
  zip: bannerZip(),
  audience: Buffer.from('phone\n2348031234567\n+2348031234567\n0b1e9d0a-6b1c-4f7e-9f0a-1c2d3e4f5a6b\n'),
  list: Buffer.from('nile.example\nlagos.example\ncom.nile.app\n'),
})

const RIGHT: Readonly<Record<string, keyof Fixtures>> = {
  'file.upload2': 'banner',
  'file.upload3': 'banner',
  'profile.savePicture': 'banner',
  'file.native': 'native',
  'file.audio': 'audio',
  'file.video': 'video',
  'audience.upload': 'audience',
}

/** Names shared by the whitelists of a run, so that they are found, repeated and removed. */
export const LIST_NAMES = ['apps.txt', 'my sites.txt', 'каталог.txt', 'a%2Fb'] as const

export type Body = { readonly contentType: string; readonly bytes: Buffer }
type Part = { readonly name: string; readonly filename?: string; readonly bytes: Buffer }
const BOUNDARY = 'placard-boundary'

function multipart(parts: readonly Part[], end = `--${BOUNDARY}--\r\n`): Body {
  const pieces = parts.flatMap(({ name, filename, bytes }) => [
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n${
        filename === undefined ? '' : 'Content-Type: application/octet-stream\r\n'
      }\r\n`,
    ),
    bytes,
    Buffer.from('\r\n'),
  ])
  return { contentType: `multipart/form-data; boundary=${BOUNDARY}`, bytes: Buffer.concat([...pieces, Buffer.from(end)]) }
}

const takesName = (id: string): boolean => id.startsWith('whitelist') || id === 'audience.upload'

/** A valid file for the call. */
export const honestUpload = (id: string, fixtures: Fixtures): fc.Arbitrary<Body> => {
  const file = { name: 'file', filename: 'file.bin', bytes: fixtures[RIGHT[id] ?? 'list'] }
  return fc
    .constantFrom(...LIST_NAMES)
    .map((name) => multipart(takesName(id) ? [{ name: 'name', bytes: Buffer.from(name) }, file] : [file]))
}

/** Uploads: sometimes valid ones, otherwise typical faulty ones. */
export function uploadsOf(id: string, fixtures: Fixtures): fc.Arbitrary<Body> {
  const right = fixtures[RIGHT[id] ?? 'list']
  const listName = fc.constantFrom(...LIST_NAMES).map((name) => ({ name: 'name', bytes: Buffer.from(name) }))
  const file = (bytes: Buffer, filename = 'file.bin', name = 'file'): Part => ({ name, filename, bytes })
  const named = (part: Part) => listName.map((name) => (takesName(id) ? [name, part] : [part]))
  const other = fc.constantFrom(...Object.values(fixtures))
  return fc.oneof(
    { weight: 3, arbitrary: named(file(right)).map((parts) => multipart(parts)) },
    { weight: 2, arbitrary: named(file(right)).map((parts) => multipart(parts.toReversed())) },
    { weight: 3, arbitrary: other.chain((bytes) => named(file(bytes))).map((parts) => multipart(parts)) },
    {
      weight: 1,
      arbitrary: fc
        .nat({ max: right.length - 1 })
        .chain((n) => named(file(right.subarray(0, n))))
        .map((parts) => multipart(parts)),
    },
    {
      weight: 1,
      arbitrary: fc
        .uint8Array({ maxLength: 200 })
        .chain((bytes) => named(file(Buffer.from(bytes))))
        .map((parts) => multipart(parts)),
    },
    { weight: 1, arbitrary: listName.map((name) => multipart([name])) },
    { weight: 1, arbitrary: named(file(right)).map((parts) => multipart([...parts, file(right)])) },
    { weight: 1, arbitrary: named(file(right, '../../é"\u0001.png', 'upload')).map((parts) => multipart(parts)) },
    { weight: 1, arbitrary: named(file(right)).map((parts) => multipart(parts, '')) },
    { weight: 1, arbitrary: fc.constant(multipart([])) },
    { weight: 1, arbitrary: fc.constantFrom(...BROKEN) },
  )
}

const BROKEN: readonly Body[] = [
  { contentType: 'multipart/form-data', bytes: Buffer.from('no boundary') },
  { contentType: 'multipart/form-data; boundary=other', bytes: Buffer.from(`--${BOUNDARY}\r\n\r\n`) },
  { contentType: 'application/json', bytes: Buffer.from('{}') },
  { contentType: 'application/octet-stream', bytes: Buffer.from([0, 1, 2]) },
  { contentType: `multipart/form-data; boundary=${BOUNDARY}`, bytes: Buffer.alloc(0) },
]
