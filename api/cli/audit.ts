import { readFile } from 'node:fs/promises'
import { checkProofFile, readVerifierKey } from '#proof/log/offline-verifier'
import { readMetadata } from '#domain/kit/event-metadata'
import { fold, newestRevision } from '#proof/replay'
import { verifyStream } from '#proof/verify'
import type { Change } from '#domain/kit/json-changes'
import { logState } from '#domain/campaign/log-state'
import { streamOf, type CampaignState } from '#domain/campaign/state'
import { statusOf } from '#domain/campaign/status/status'
import type { StoredEvent } from '#eventstore/event-store'
import { openDataKey } from '#platform/identity/kms-keys'
import { createPersonKeys } from '#platform/identity/person-keys'
import { changesBetween, stateAt } from '../areas/audit/audit-calls.ts'
import { changesOut, contentOut } from '../areas/campaign/wire.ts'
import { logStoresOf } from '../areas/audit/area.ts'
import { createTransparencyLog } from '#commands/audit/transparency-log'
import { readConfig } from '../config.ts'
import { createPersonalData } from '#commands/identity/personal-data'
import { faultsOfSnapshot } from '#commands/snapshot-faults'
import { createSnapshotStore } from '#platform/log/snapshot-store'
import { readArguments } from './arguments.ts'
import { exportToFile, requestOf } from './audit/export-file.ts'
import { verifyAll } from './audit/verify-all.ts'
import { verifyExportFile } from './audit/verify-export-file.ts'
import { onLog } from './opened.ts'
import { runTool } from './run-tool.ts'

const USAGE = `Usage:
  npm run audit -- replay <campaign> [--revision n | --time instant]   the state after one revision, or after each
  npm run audit -- diff <campaign> --from n --to m                     content changes between two revisions
  npm run audit -- verify <campaign or stream>                         recompute the hash chain from the stored bytes, and the
                                                                       snapshot from the events; a stream is named as in the
                                                                       log, such as ledger-<account>-202611
  npm run audit -- verify --all [--json] [--from position] [--state file]
                                                  verifies everything that is stored and names what was changed: every event,
                                                  the tree and its heads, snapshots, every row of every read model, the ledger
                                                  against facts and charges, files; with a state file an interrupted call goes on
  npm run audit -- checkpoint                     signs a head of the transparency log that has every event, and prints it
  npm run audit -- proof <event>                  the proof file of an event (C2SP tlog-proof)
  npm run audit -- compare                        compares every event with the transparency log
  npm run audit -- export [--out file] [filters]  the log as signed lines that prove themselves; filters: --after position,
                                                  --up-to position, --limit n, --white-label id, --space id, --actor id,
                                                  --types a,b, --from instant, --to instant, --personal (plain text beside)
  npm run audit -- verify-export <file> --key <key> [--key <key>]
                                                  verifies an export with public keys alone, without a database; the same
                                                  script stands alone in dist/verify-export.mjs
  npm run audit -- check <file> --hash <event hash> --key <key> [--key <key>]
                                                  checks a proof file with keys of the log and of witnesses alone, without a
                                                  database; the hash is in GET /v1/campaign/<id>/events

The first three read the log alone (and, for what is personal in it, the keys of persons): of the embedded database in PLACARD_DATA_DIR, running or not, or of DATABASE_URL.`

/** Exit code when something could not be read. */
const UNREAD = 3

/**
 * The auditor's command line (running.md). Prints JSON, one object a line; exit code 1 when something is wrong, 2 for a wrong
 * call, 3 when something could not be read.
 */
async function main(): Promise<number> {
  const said = readArguments({
    allowPositionals: true,
    options: {
      revision: { type: 'string' },
      time: { type: 'string' },
      from: { type: 'string' },
      to: { type: 'string' },
      hash: { type: 'string' },
      key: { type: 'string', multiple: true },
      out: { type: 'string' },
      after: { type: 'string' },
      'up-to': { type: 'string' },
      limit: { type: 'string' },
      'white-label': { type: 'string' },
      space: { type: 'string' },
      actor: { type: 'string' },
      types: { type: 'string' },
      personal: { type: 'boolean' },
      all: { type: 'boolean' },
      json: { type: 'boolean' },
      state: { type: 'string' },
    },
  })
  const [command, id, ...others] = said?.positionals ?? []
  if (said !== null && command === 'export') {
    const request = id === undefined ? requestOf(said.values) : null
    return request === null ? misused() : exportToFile(readConfig(process.env), request, said.values.out)
  }
  if (said !== null && command === 'verify' && said.values.all === true) {
    if (id !== undefined || !/^\d{1,18}$/.test(said.values.from ?? '0')) return misused()
    return verifyAll(readConfig(process.env), said.values).catch((error: unknown) => {
      console.error(error instanceof Error ? error.message : error)
      return UNREAD
    })
  }
  if (said !== null && command === 'verify-export') {
    const { key: keys = [] } = said.values
    return id === undefined || others.length > 0 || keys.length === 0 ? misused() : verifyExportFile(id, keys)
  }
  if (said !== null && others.length === 0 && ['checkpoint', 'proof', 'compare', 'check'].includes(command ?? ''))
    return onTransparencyLog(command ?? '', id, said.values)
  if (said === null || id === undefined || others.length > 0 || !['replay', 'diff', 'verify'].includes(command ?? ''))
    return misused()
  const { time } = said.values
  const numbers = [said.values.revision, said.values.from, said.values.to]
  if (numbers.some((number) => number !== undefined && !/^\d{1,9}$/.test(number))) return misused()
  const [revision, from, to] = numbers.map(numberOf)
  const config = readConfig(process.env)
  const dataKey = await openDataKey(config.dataKeys)
  return onLog(config, async (db, store) => {
    const stream = command === 'verify' && (await store.readStream(id)).length > 0 ? id : streamOf(id)
    const events = await store.readStream(stream)
    if (events.length === 0) {
      console.error(`There is no campaign ${id} in this log.`)
      return 1
    }
    if (command === 'verify')
      return verify(stream, events, await faultsOfSnapshot({ snapshots: createSnapshotStore(db), store }, stream))
    const { reveal } = createPersonalData(createPersonKeys({ db, dataKey }))
    const lines =
      command === 'diff' ? differences(events, from ?? 1, to ?? newestRevision(events)) : replay(events, revision, time)
    for (const line of await reveal(lines)) print(line)
    return 0
  })
}

/** Commands on the log of all events. */
async function onTransparencyLog(
  command: string,
  id: string | undefined,
  { hash, key: keys = [] }: { readonly hash?: string | undefined; readonly key?: readonly string[] | undefined },
): Promise<number> {
  if ((id === undefined) !== ['checkpoint', 'compare'].includes(command)) return misused()
  if (command === 'check') {
    if (id === undefined || hash === undefined || keys.length === 0) return misused()
    const { origin, size, signers } = checkProofFile(await readFile(id, 'utf8'), hash, keys.map(readVerifierKey))
    print({ valid: true, origin, size: Number(size), signed_by: signers.map(({ name }) => name) })
    return 0
  }
  const config = readConfig(process.env)
  return onLog(config, async (db, store) => {
    const transparency = createTransparencyLog({ config, store }, logStoresOf({ config, db }))
    if (command === 'checkpoint') process.stdout.write((await transparency.sign()).checkpoint)
    else if (command === 'proof' && id !== undefined) process.stdout.write((await transparency.inclusion(id, undefined)).proof)
    else {
      const fault = await transparency.log.compareAll()
      print({ valid: fault === null, faults: fault === null ? [] : [fault] })
      return fault === null ? 0 : 1
    }
    return 0
  })
}

function misused(): number {
  console.error(USAGE)
  return 2
}

const numberOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text))

const print = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`)

function replay(events: readonly StoredEvent[], revision: number | undefined, time: string | undefined) {
  const only = revision === undefined && time === undefined ? null : stateAt(events, revision, time).revision
  return commitsOf(events)
    .filter(({ state }) => only === null || state.revision === only)
    .map(({ commit, state }) => {
      const [first] = commit
      return {
        revision: state.revision,
        at: state.at,
        actor: first === undefined ? null : readMetadata(first.metadata).actor,
        events: commit.map(({ type }) => type),
        status_key: statusOf(state),
        state: contentOut(logState(state), true),
      }
    })
}

/** Each commit with the state after it, from one fold. */
function commitsOf(events: readonly StoredEvent[]) {
  const commits = new Map<number, StoredEvent[]>()
  for (const event of events) {
    const { revision } = readMetadata(event.metadata)
    commits.set(revision, [...(commits.get(revision) ?? []), event])
  }
  let state: CampaignState | undefined
  return [...commits.values()].map((commit) => {
    state = fold(commit, state)
    return { commit, state }
  })
}

function differences(events: readonly StoredEvent[], from: number, to: number): readonly Change[] {
  return changesOut(changesBetween(events, from, to), true)
}

function verify(stream: string, events: readonly StoredEvent[], ofSnapshot: readonly string[]): number {
  const { head, faults: ofChain } = verifyStream(stream, events)
  const faults = [...ofChain, ...ofSnapshot]
  print({ valid: faults.length === 0, events: events.length, head_hash: head, faults })
  return faults.length === 0 ? 0 : 1
}

void runTool(main)
