import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { createExporter, type ExportRequest } from '#commands/audit/export-log'
import { createPersonalData } from '#commands/identity/personal-data'
import { createClock } from '#platform/clock'
import { openDataKey } from '#platform/identity/kms-keys'
import { createPersonKeys } from '#platform/identity/person-keys'
import { logStoresOf } from '#api/areas/audit/area'
import { instantOf } from '#api/areas/audit/export-routes'
import { createTransparencyLog } from '#commands/audit/transparency-log'
import type { Config } from '#api/config'
import { onLog } from '../opened.ts'

export type ExportOptions = {
  readonly out?: string | undefined
  readonly after?: string | undefined
  readonly 'up-to'?: string | undefined
  readonly limit?: string | undefined
  readonly 'white-label'?: string | undefined
  readonly space?: string | undefined
  readonly actor?: string | undefined
  readonly types?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly personal?: boolean | undefined
}

/** Request in the options; null when a position or number is none. Refuses an invalid instant with 11. */
export function requestOf(options: ExportOptions): ExportRequest | null {
  const { after = '0', 'up-to': upTo, limit } = options
  if ([after, upTo ?? '0', limit ?? '1'].some((text) => !/^\d{1,18}$/.test(text))) return null
  return {
    after: BigInt(after),
    upTo: upTo === undefined ? null : BigInt(upTo),
    limit: limit === undefined ? null : Number(limit),
    filters: {
      white_label: options['white-label'] ?? null,
      space: options.space ?? null,
      actor: options.actor ?? null,
      types: options.types?.split(',').map((type) => type.trim()) ?? null,
      from: instantOf(options.from, 'from'),
      to: instantOf(options.to, 'to'),
    },
    personal: options.personal === true,
  }
}

/** Writes an export to a file, or to the standard output; returns the exit code: 1 when the log is not what its head says. */
export const exportToFile = (config: Config, request: ExportRequest, out: string | undefined): Promise<number> =>
  onLog(config, async (db, store) => {
    const stores = logStoresOf({ config, db })
    const { log, heads } = createTransparencyLog({ config, store }, stores)
    const exported = createExporter({
      store,
      tree: stores.tree,
      log,
      signNow: heads.signNow,
      heads: stores.heads,
      reveal: createPersonalData(createPersonKeys({ db, dataKey: await openDataKey(config.dataKeys) })).reveal,
      now: createClock(config.clockOffset),
    })
    const output = out === undefined ? process.stdout : createWriteStream(out)
    let last: Buffer = Buffer.alloc(0)
    for await (const part of exported(request)) {
      last = part
      if (!output.write(part)) await once(output, 'drain')
    }
    if (out !== undefined) {
      output.end()
      await finished(output)
    }
    if (last.toString().startsWith('{"end":')) return 0
    console.error(last.toString().trim())
    return 1
  })
