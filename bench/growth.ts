import { measureAppends } from './append.ts'
import { measureCommands } from './command.ts'
import { memory, walPerEvent } from './footprint.ts'
import { measureFreshness } from './freshness.ts'
import { rebuild } from './rebuild.ts'
import { replay } from './replay.ts'
import { readySet } from './support/facts.ts'
import { median, say, type Figures } from './support/measure.ts'
import { withServer, type BenchServer } from './support/server.ts'

const SIZES = [10_000, 100_000, 1_000_000] as const
/** A rate that the product sustains at any size, so that differences are not queueing. */
const FRESHNESS_PER_S = 200

/** The other benches, shorter, on logs of ten thousand, a hundred thousand and a million events. */
export async function growth(): Promise<Figures> {
  const figures: Record<string, number> = {}
  for (const size of SIZES) {
    const label = size >= 1_000_000 ? `${size / 1_000_000}m` : `${size / 1000}k`
    say(`${label}: preparing`)
    const measured = { ...(await withServer((server) => withLog(server, size))), ...(await alone(size)) }
    for (const [name, value] of Object.entries(measured)) figures[`${name}_${label}`] = value
    say(`${label}: ${JSON.stringify(measured)}`)
  }
  return figures
}

async function withLog(server: BenchServer, size: number): Promise<Figures> {
  const template = await readySet(server, size)
  const appended = await measureAppends(server, { callers: [64], pairs: 3, template })
  const commanded = await measureCommands(server, { pairs: 2, template })
  const fresh = await measureFreshness(server, { perSecond: FRESHNESS_PER_S, rounds: 1, template })
  return {
    appends_per_s: appended['appends_per_s_64'] ?? 0,
    append_ratio_64: appended['ratio_64'] ?? 0,
    handler_per_s: commanded['handler_per_s'] ?? 0,
    cached_handler_per_s: commanded['cached_handler_per_s'] ?? 0,
    http_per_s: commanded['http_per_s'] ?? 0,
    freshness_p99_ms: fresh['p99_ms'] ?? 0,
    freshness_max_ms_foreign_tx: fresh['max_ms_foreign_tx'] ?? 0,
    wal_bytes_overhead: Math.round(median(await walPerEvent(server, template))),
  }
}

/** Benches that start servers of their own. */
async function alone(size: number): Promise<Figures> {
  const replayed = await replay(size, 2)
  const rebuilt = await rebuild(size, 1)
  return {
    replay_events_per_s: replayed['events_per_s'] ?? 0,
    replay_over_json_parse: replayed['over_json_parse'] ?? 0,
    rebuild_events_per_s: rebuilt['events_per_s'] ?? 0,
    rebuild_over_json_parse: rebuilt['over_json_parse'] ?? 0,
    rss_mb: (await memory(size)).whole,
  }
}
