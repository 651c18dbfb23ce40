import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { HAS_GO, verifiedByGo, type ForGo } from '#test/support/go-verifier'
import { consistencyPlan, inclusionPlan, leafHash, rootRange } from './merkle.ts'
import { checkpointText, noteSigner, signedNote } from './signed-note.ts'
import { extended, hashesOf } from './tiles.ts'

// Without Go and its packages these are skipped: apt-get install golang-go golang-golang-x-mod-dev.
describe.skipIf(!HAS_GO)("Go's checksum database", () => {
  const log = noteSigner('ads.example/log', Buffer.alloc(32, 7))
  const hashes = Array.from({ length: 600 }, (_, i) => createHash('sha256').update(String(i)).digest())
  const tiles = extended(0, [], hashes.map(leafHash))
  const base64 = (list: readonly Buffer[]) => list.map((hash) => hash.toString('base64'))
  const head = (size: number): string => {
    const [root = Buffer.alloc(0)] = hashesOf([rootRange(size)], tiles)
    const text = checkpointText(log.name, size, root)
    return signedNote(text, [log.sign(text)])
  }
  const sizes = [1, 2, 3, 7, 8, 9, 255, 256, 257, 511, 512, 513, 600]
  const said: ForGo = {
    keys: [log.verifierKey],
    inclusion: sizes.flatMap((size) =>
      [0, Math.floor(size / 2), size - 1].map((index) => ({
        checkpoint: head(size),
        event_hash: hashes[index]?.toString('hex') ?? '',
        index,
        hashes: base64(hashesOf(inclusionPlan(index, size), tiles)),
      })),
    ),
    consistency: sizes.flatMap((second) =>
      sizes
        .filter((first) => first <= second)
        .map((first) => ({
          first: head(first),
          second: head(second),
          hashes: base64(hashesOf(consistencyPlan(first, second), tiles)),
        })),
    ),
  }

  it('accepts checkpoints, paths of leaves and growths', () => {
    expect(said.inclusion.length + said.consistency.length).toBe(130)
    expect(verifiedByGo(said)).toBe('ok')
  })

  it('rejects the same after one change', () => {
    const [one, other] = [said.inclusion[20], said.consistency[40]]
    if (one === undefined || other === undefined) throw new Error('there are fewer')
    const changed = verifiedByGo({
      keys: said.keys,
      inclusion: [
        { ...one, index: one.index + 1 },
        { ...one, checkpoint: one.checkpoint.replace(/\n\d+\n/, '\n999\n') },
      ],
      consistency: [{ ...other, hashes: other.hashes.toReversed() }],
    })
    expect(changed.split('\n')).toHaveLength(3)
  })
})
