import type { DerivedId } from '#domain/kit/derived-id'
import type { AudienceCommands } from './audience-commands.ts'
import { systemContext } from '#domain/kit/event-metadata'
import type { AudienceStores, PendingUpload } from './audience-port.ts'
import type { AudienceState, VersionCounts } from '#domain/audience/audience'
import { DONE, jobKind, type JobPolicy, type JobRunner } from '../jobs/job.ts'
import { Refused } from '../refused.ts'

type Started = { readonly version: number; readonly state: AudienceState; readonly position: bigint }

export type FinishingDeps = {
  readonly audiences: AudienceStores
  readonly commands: { readonly audiences: AudienceCommands }
  readonly derivedId: DerivedId
  /** Bytes that an account may still store. */
  readonly files: { readonly roomLeft: (spaceId: string) => Promise<number> }
}

/** Finishes the upload of this id. */
export const UPLOAD_JOB = jobKind('audience-upload', 1, [])
/** One merge at a time, which holds a connection. An upload is never given up: its audience waits for it. */
export const UPLOAD_POLICY: JobPolicy = {
  atOnce: 1,
  tries: null,
  backoff: { firstMs: 5000, longestMs: 600_000 },
  leaseSeconds: 60,
}

/**
 * Brings a received file to its version. A step that happened before changes nothing, so repeats after a crash get the same result: one
 * version with all its members.
 */
export function createFinishing(kit: FinishingDeps) {
  const { audiences, commands, derivedId, files } = kit

  /** Records the version of a file: of a new audience when the upload has a name. */
  async function start(upload: PendingUpload): Promise<Started> {
    const { id, audienceId, spaceId: space_id, whitelabelId: whitelabel_id, name, context } = upload
    const done = await commands.audiences.execute(
      audienceId,
      context,
      name === null
        ? { type: 'StartVersion' }
        : { type: 'Create', created: { space_id, whitelabel_id, kind: 'static', name, rules: null } },
    )
    if (done.kind === 'rejected') {
      await audiences.uploads.failed(id)
      throw new Refused(done.rejection)
    }
    const version = done.events.flatMap((event) => (event.type === 'AudienceVersionStarted' ? [event.data.version] : []))[0]
    if (version === undefined) throw new Error(`upload ${id} started no version of audience ${audienceId}`)
    await audiences.uploads.numbered(id, version)
    return { version, state: done.state, position: done.position }
  }

  async function finish(upload: PendingUpload, signal?: AbortSignal): Promise<void> {
    const { id, audienceId, spaceId } = upload
    const version = upload.version ?? (await start(upload)).version
    const counts = await audiences.uploads.merge({ ...upload, version }, await files.roomLeft(spaceId), signal)
    const state = await record({ id: audienceId, version, counts, causation: upload.context.command_id })
    // After the event: a process that dies before it leaves an upload that is finished later.
    if (state?.versions[version - 1] === 'failed') await audiences.uploads.failed(id)
    else await audiences.uploads.recorded(id)
  }

  type Outcome = {
    readonly id: string
    readonly version: number
    /** Null when the account had no room for the members. */
    readonly counts: VersionCounts | null
    readonly causation: string | null
  }

  /** Returns the audience; null when it was deleted meanwhile: nothing of it stays then. */
  async function record({ id, version, counts, causation }: Outcome): Promise<AudienceState | null> {
    const context = systemContext('audiences', derivedId('audience version', id, String(version)), {
      correlation: causation ?? '',
      causation,
    })
    const done = await commands.audiences.execute(
      id,
      context,
      counts === null ? { type: 'FailVersion', version, code: 181 } : { type: 'FinishVersion', version, counts },
    )
    if (done.kind !== 'rejected') return done.state
    await audiences.sets.remove(id)
    return null
  }

  const runner: JobRunner = {
    run: async ({ key }, signal) => {
      const upload = await audiences.uploads.find(key)
      if (upload === null) return DONE
      try {
        await finish(upload, signal)
      } catch (error) {
        // The upload was marked as failed.
        if (!(error instanceof Refused)) throw error
      }
      return DONE
    },
  }

  return { start, record, finish, runner }
}
export type Finishing = ReturnType<typeof createFinishing>
