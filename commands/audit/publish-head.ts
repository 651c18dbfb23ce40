import { DONE, jobKind, type JobKind, type JobPolicy, type JobRunner } from '../jobs/job.ts'
import type { LogHeadStore } from './log-port.ts'
import { published } from './log-heads.ts'

/** One job for a head, and one more for each cosignature of it. */
export const PUBLISH: JobKind<'size'> = jobKind('log-publish', 1, ['size'])
export const PUBLISH_POLICY: JobPolicy = {
  atOnce: 1,
  // The file store may be away for longer than any number of tries.
  tries: null,
  backoff: { firstMs: 1000, longestMs: 300_000 },
  leaseSeconds: 60,
}

/** Writes a head to the file store: `proof/checkpoints/<size>`, and `proof/checkpoint` while it is the newest. */
export const createPublisher = (
  heads: Pick<LogHeadStore, 'newest' | 'ofSize'>,
  write: (name: string, bytes: Buffer) => Promise<void>,
): JobRunner => ({
  async run(job) {
    const size = Number(PUBLISH.read(job).size)
    const head = await heads.ofSize(size)
    if (head === null) return DONE
    const bytes = Buffer.from(published(head))
    await write(`proof/checkpoints/${size}`, bytes)
    if ((await heads.newest())?.size === size) await write('proof/checkpoint', bytes)
    return DONE
  },
})
