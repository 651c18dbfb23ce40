import { describe, expect, it } from 'vitest'
import { scanByPages } from '#eventstore/scan'
import { verifyExport } from '#proof/offline/verify-export'
import { createMemoryLog, filledLog, instant, NO_FILTERS, streamOfText, type MemoryLog } from '#test/support/memory-log'
import type { ExportRequest } from './export-log.ts'

const file = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')
const verified = (lines: readonly string[], { key }: MemoryLog) => verifyExport(streamOfText(file(lines)), [key])
const eventsIn = (lines: readonly string[]) => lines.filter((line) => line.startsWith('{"leaf"')).map((line) => JSON.parse(line))

describe('an export of the log', () => {
  it.each([0, 1, 2, 255, 256, 257, 1000, 2500])('an export of the log of %d events is proven by its own lines', async (count) => {
    const log = await filledLog(count)
    const found = await verified(await log.exported(), log)
    expect(found).toMatchObject({ valid: true, faults: [], events: count, completeness: 'range', origin: 'ads.example/log' })
    expect(found.head?.size).toBe(count)
    expect(found.next).toBeNull()
  })

  it('holds the stored bytes of every event', async () => {
    const log = await filledLog(20)
    const { events } = await log.store.readAll(0n, 100)
    expect(eventsIn(await log.exported()).map(({ data, metadata }) => [data, metadata])).toEqual(
      events.map(({ data, metadata }) => [data, metadata]),
    )
  })

  it.each<[string, Partial<ExportRequest['filters']>, string, (i: number) => boolean]>([
    ['white-label', { white_label: 'w1' }, 'streams', (i) => (i % 7) % 2 === 1],
    ['account', { space: 's2' }, 'streams', (i) => (i % 7) % 3 === 2],
    ['actor', { actor: 'bob' }, 'none', (i) => i % 4 === 0],
    ['type', { types: ['CampaignSwitchedOff'] }, 'none', (i) => i >= 7 && i % 5 === 0],
    ['time', { from: instant(100), to: instant(300) }, 'none', (i) => i >= 100 && i < 300],
    ['account and type', { space: 's0', types: ['CampaignCreated'] }, 'none', (i) => i < 7 && i % 3 === 0],
    ['nothing that matches', { actor: 'eve' }, 'none', () => false],
  ])('keeps the events of a filter by %s, and proves each', async (_, filters, completeness, keeps) => {
    const log = await filledLog(1500)
    const lines = await log.exported({ filters: { ...NO_FILTERS, ...filters } })
    const kept = Array.from({ length: 1500 }, (__, i) => i).filter(keeps)
    expect(eventsIn(lines).map(({ leaf }) => leaf)).toEqual(kept)
    expect(await verified(lines, log)).toMatchObject({ valid: true, faults: [], events: kept.length, completeness })
  })

  it('goes on after an earlier one, and shows that the log continued', async () => {
    const log = await filledLog(700)
    const first = await verified(await log.exported({ limit: 300 }), log)
    expect(first).toMatchObject({ valid: true, events: 300, leaves: { from: 0, to: 300 }, next: '300' })
    await log.append('campaign-9', 'CampaignCreated', { whitelabel_id: 'w0', space_id: 's0' })
    const second = await verified(await log.exported({ after: BigInt(first.next ?? 0) }), log)
    expect(second).toMatchObject({ valid: true, events: 401, leaves: { from: 300, to: 701 }, next: null })
    expect(second.before).toEqual(first.after)
    const third = await verified(await log.exported({ after: 100n, upTo: 200n }), log)
    expect(third).toMatchObject({ valid: true, events: 100, first_position: '101', last_position: '200' })
    expect(await verified(await log.exported({ after: 701n }), log)).toMatchObject({ valid: true, events: 0 })
  })

  it('goes on by pages when a filter keeps nothing of them', async () => {
    const log = await filledLog(900)
    const filters = { ...NO_FILTERS, actor: 'bob' }
    let [after, events, files]: [bigint | null, number, number] = [0n, 0, 0]
    while (after !== null) {
      const found = await verified(await log.exported({ after, limit: 250, filters }), log)
      expect(found.faults).toEqual([])
      events += found.events
      files += 1
      after = found.next === null ? null : BigInt(found.next)
    }
    expect([events, files]).toEqual([225, 4])
  })

  it('ends with the fault, and without a signature, when an event is not the one of its leaf', async () => {
    const log = await filledLog(50)
    await log.signNow()
    const { events } = await log.store.readAll(0n, 100)
    const [event] = events.slice(20)
    Object.assign(event ?? {}, { data: '{"note":"other"}' })
    const lines = await log.exported()
    expect(lines.at(-1)).toContain('leaf 20 is not event')
    const found = await verified(lines, log)
    expect(found.valid).toBe(false)
    expect(found.faults.join()).toContain('the export was ended by the log itself: leaf 20 is not event')
  })

  it('ends with the fault when an event at its start, or its end, was replaced or removed', async () => {
    const replaced = await filledLog(50)
    await replaced.signNow()
    const { events } = await replaced.store.readAll(0n, 100)
    Object.assign(events[20] ?? {}, { id: '00000000-0000-4000-8000-000000000000' })
    const found = await verified(await replaced.exported({ after: 20n }), replaced)
    expect(found.faults.join()).toContain('00000000-0000-4000-8000-000000000000 (campaign-6 version 3) is not in the tree')
    expect((await verified(await replaced.exported({ upTo: 20n }), replaced)).valid).toBe(false)
    const cut = await filledLog(50)
    await cut.signNow()
    const readAll: typeof cut.store.readAll = async (after, most) => {
      const page = await cut.store.readAll(after, most)
      return { events: page.events.filter(({ position }) => position < 40n), upTo: page.upTo }
    }
    const lines = await cut.exported({}, { ...cut.store, readAll, scan: (after) => scanByPages(readAll, after) })
    expect(lines.at(-1)).toBe('{"fault":"the log ends after 39 events, and the tree has 50"}')
  })

  it('needs the key of the log: another one proves nothing', async () => {
    const [log, other] = [await filledLog(5), createMemoryLog('other.example/log')]
    expect((await verifyExport(streamOfText(file(await log.exported())), [other.key])).faults).toContain(
      'the head of the manifest: no given key of this log signed the checkpoint',
    )
    expect((await verifyExport(streamOfText(file(await log.exported())), ['nonsense'])).faults).toContain(
      'a key is not of the form name+id+key',
    )
  })

  it('reports its progress, and takes pieces of any size', async () => {
    const log = await filledLog(300)
    const text = file(await log.exported())
    for (const size of [1, 7, 4096, 10_000_000]) {
      let bytes = 0
      const found = await verifyExport(streamOfText(text, size), [log.key], (read) => (bytes = read))
      expect([found.faults, bytes]).toEqual([[], Buffer.byteLength(text)])
    }
  })
})

describe('an export that was altered', () => {
  const forged = async (alter: (lines: string[]) => readonly string[]) => {
    const log = await filledLog(600)
    return (await verified(alter([...(await log.exported())]), log)).faults
  }
  const event = (lines: readonly string[], leaf: number) => lines.findIndex((line) => line.startsWith(`{"leaf":${leaf},`))

  it('names an event whose data was changed', async () => {
    const faults = await forged((lines) => {
      const at = event(lines, 30)
      return lines.with(at, lines[at]?.replace('ü 30', 'ü 31') ?? '')
    })
    expect(faults).toContain('line 32 (campaign-2 version 5) is not what was stored: its hash is another')
  })

  it('names an event that was removed', async () => {
    expect(await forged((lines) => lines.toSpliced(event(lines, 30), 1))).toEqual(
      expect.arrayContaining([
        'the event of leaf 30 is missing before line 32',
        'line 38 (campaign-2 version 6): version 5 is missing before it',
      ]),
    )
  })

  it('names events that were swapped', async () => {
    const faults = await forged((lines) => {
      const at = event(lines, 30)
      return lines.with(at, lines[at + 1] ?? '').with(at + 1, lines[at] ?? '')
    })
    expect(faults).toEqual(
      expect.arrayContaining([
        'the event of leaf 30 is missing before line 32',
        'line 33 (campaign-2 version 5) has leaf 30, which comes before leaf 32: it is there twice, or out of order',
      ]),
    )
  })

  it('names an event that was added', async () => {
    const faults = await forged((lines) => lines.toSpliced(event(lines, 30), 0, lines[event(lines, 29)] ?? ''))
    expect(faults).toEqual(
      expect.arrayContaining([
        'line 32 (campaign-1 version 5) has leaf 29, which comes before leaf 30: it is there twice, or out of order',
        'line 32 (campaign-1 version 5) comes after version 5 of the same stream',
      ]),
    )
  })

  it('refuses a file that was cut, at a line and within one', async () => {
    expect(await forged((lines) => lines.slice(0, 100))).toEqual([
      'the file ends after line 100 without its signed end: it is cut off',
    ])
    const log = await filledLog(100)
    const text = file(await log.exported())
    expect((await verifyExport(streamOfText(text.slice(0, 9000)), [log.key])).faults.join()).toContain('is cut off')
    expect((await verifyExport(streamOfText(text.slice(0, -1)), [log.key])).faults.join()).toContain('is cut off')
    expect((await verifyExport(streamOfText(''), [log.key])).faults).toEqual(['the file is empty'])
    expect((await verifyExport(streamOfText(`${text}{}\n`), [log.key])).faults).toEqual(['line 103 stands after the signed end'])
  })

  it('finds changes of what only the signature covers: personal values and the manifest', async () => {
    expect(await forged((lines) => lines.with(0, lines[0]?.replace('"personal":false', '"personal":true') ?? ''))).toContainEqual(
      expect.stringMatching(/^lines 1 to \d+ are not those that were signed$/),
    )
    expect(
      await forged((lines) => lines.with(0, lines[0]?.replace('"completeness":"range"', '"completeness":"none"') ?? '')),
    ).toContain('the manifest promises the completeness "none", which its filters do not have')
  })
})
