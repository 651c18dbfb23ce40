import type { PendingUpload } from '../../../commands/audience/audience-port.ts'
import type { AudienceState, VersionCounts } from '../../../domain/audience/audience.ts'
import type { CommandContext } from '../../../domain/kit/event-metadata.ts'
import { roomLeft } from '../../kit/files/space-quota.ts'
import type { Kit } from '../../kit/kit.ts'
import { Refused } from '../../kit/refused.ts'

type Started = { readonly version: number; readonly state: AudienceState; readonly position: bigint }

/**
 * Brings a received file to its version. A step that happened before changes nothing, so the process that received the file and a
 * policy after its death get the same result: one version with all its members.
 */
export function createFinishing({ audiences, commands, db, derivedId, logger, stops }: Kit) {
  const running = new Map<string, Promise<void>>()
  stops.add(async () => {
    await Promise.allSettled(running.values())
  })

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

  async function finish(upload: PendingUpload): Promise<void> {
    const { id, audienceId, spaceId } = upload
    const version = upload.version ?? (await start(upload)).version
    const counts = await audiences.uploads.merge({ ...upload, version }, await roomLeft(db, spaceId))
    if (counts === null) await audiences.uploads.failed(id)
    await record({ id: audienceId, version, counts, causation: upload.context.command_id })
    await audiences.uploads.recorded(id)
  }

  type Outcome = {
    readonly id: string
    readonly version: number
    /** Null when the account had no room for the members. */
    readonly counts: VersionCounts | null
    readonly causation: string | null
  }

  async function record({ id, version, counts, causation }: Outcome): Promise<void> {
    const context: CommandContext = {
      actor: 'system:audiences',
      role: 'SYSTEM',
      on_behalf_of: null,
      source: 'policy',
      command_id: derivedId('audience version', id, String(version)),
      body_hash: null,
      correlation: causation ?? '',
      causation,
    }
    const done = await commands.audiences.execute(
      id,
      context,
      counts === null ? { type: 'FailVersion', version, code: 181 } : { type: 'FinishVersion', version, counts },
    )
    // Deleted meanwhile: nothing of it stays.
    if (done.kind === 'rejected') await audiences.sets.remove(id)
  }

  return {
    start,
    record,
    /** Finishes in the background; a policy repeats what fails. */
    finishLater(upload: PendingUpload): void {
      if (running.has(upload.id)) return
      const work = finish(upload)
        .catch((error: unknown) => logger.error({ err: error }, `upload ${upload.id} is finished later`))
        .finally(() => running.delete(upload.id))
      running.set(upload.id, work)
    },
    finish,
  }
}
export type Finishing = ReturnType<typeof createFinishing>
