import type { JobKind, JobOutcome, JobPolicy, JobRunner } from '../jobs/job.ts'
import { DONE, jobKind, pauseAfter } from '../jobs/job.ts'
import { readCheckpoint, readVerifierKey, type Verifier } from '#proof/log/offline-verifier'
import type { LogHeadStore, WitnessStore } from './log-port.ts'
import type { LogTree } from './log-tree.ts'

/** A witness (C2SP tlog-witness), as the configuration names it. */
export type Witness = {
  /** Submission prefix, without a slash at the end. */
  readonly url: string
  readonly key: Verifier
}

/** Posts a request body to `add-checkpoint` of a submission prefix; rejects when nothing answers. */
export type AskWitness = (
  url: string,
  body: string,
  signal: AbortSignal,
) => Promise<{ readonly status: number; readonly body: string }>

/** One job for a head and a witness. A head that is no longer the newest is not sent. */
export const COSIGN: JobKind<'size' | 'witness'> = jobKind('log-cosign', 1, ['size', 'witness'])
export const COSIGN_POLICY: JobPolicy = {
  atOnce: 4,
  // A witness may be away for days.
  tries: null,
  backoff: { firstMs: 1000, longestMs: 300_000 },
  leaseSeconds: 60,
}

export type CosignerDeps = {
  readonly log: Pick<LogTree, 'consistency'>
  readonly heads: Pick<LogHeadStore, 'newest' | 'keys'>
  readonly store: WitnessStore
  readonly witnesses: readonly Witness[]
  readonly ask: AskWitness
}

/** Sends the newest head to a witness, and keeps its cosignature. */
export function createCosigner({ log, heads, store, witnesses, ask }: CosignerDeps): JobRunner {
  /** Null after a success; otherwise what was wrong, and whether to send again at once. */
  async function send(
    witness: Witness,
    head: { readonly size: number; readonly note: string },
    signal: AbortSignal,
  ): Promise<{ readonly reason: string; readonly isCorrected: boolean } | null> {
    const { name } = witness.key
    const known = await store.sizeOf(name)
    if (known > head.size)
      return {
        reason: `it has cosigned ${known} leaves, and this log has ${head.size}: the log was set back`,
        isCorrected: false,
      }
    const proof = await log.consistency(known, head.size)
    const lines = proof.map((hash) => `${hash.toString('base64')}\n`).join('')
    const { status, body } = await ask(witness.url, `old ${known}\n${lines}\n${head.note}`, signal)
    if (status === 409 && /^(0|[1-9]\d{0,15})\n$/.test(body) && Number(body) !== known) {
      await store.knows(name, Number(body))
      return { reason: `it has cosigned ${body.trim()} leaves, not ${known}`, isCorrected: true }
    }
    if (status !== 200) return { reason: `it answered ${status}${MEANINGS[status] ?? ''}`, isCorrected: false }
    const line = await ownLine(witness, head.note, body)
    if (line === null) return { reason: 'its answer holds no cosignature of its key', isCorrected: false }
    await store.cosigned(name, head.size, line)
    return null
  }

  /** The line that the key of this witness signed; lines of other keys are ignored. */
  async function ownLine(witness: Witness, note: string, body: string): Promise<string | null> {
    const own = (await heads.keys()).map(({ verifier_key }) => readVerifierKey(verifier_key))
    for (const line of body.split('\n').filter((part) => part !== '')) {
      try {
        const { signers } = readCheckpoint(`${note}${line}\n`, [...own, witness.key])
        if (signers.some(({ name, id }) => name === witness.key.name && id === witness.key.id)) return `${line}\n`
      } catch {
        // A line that is no signature, or a wrong one.
      }
    }
    return null
  }

  return {
    async run(job, signal): Promise<JobOutcome> {
      const { size, witness: name } = COSIGN.read(job)
      const witness = witnesses.find(({ key }) => key.name === name)
      const head = await heads.newest()
      if (witness === undefined || head === null || head.size > Number(size)) return DONE
      let refusal: { readonly reason: string; readonly isCorrected: boolean } | null
      try {
        refusal = await send(witness, head, signal)
        if (refusal?.isCorrected === true) refusal = await send(witness, head, signal)
      } catch (error) {
        if (signal.aborted) throw error
        refusal = { reason: error instanceof Error ? error.message : String(error), isCorrected: false }
      }
      if (refusal === null) return DONE
      await store.failed(name, refusal.reason)
      return { kind: 'retry', afterMs: pauseAfter(COSIGN_POLICY.backoff, job.tries), reason: refusal.reason }
    },
  }
}

const MEANINGS: Readonly<Record<number, string>> = {
  403: ': it does not trust the key of this log',
  404: ': it does not know this log',
  409: ': it has cosigned another tree of the same size',
  422: ': the tree does not continue the one that it cosigned before',
}
