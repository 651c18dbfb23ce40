import type { z } from '../../../../../api/contract/zod.ts'
import type { storedFile } from '../../../../../api/contract/files.ts'

export type StoredFile = z.infer<typeof storedFile>
export type Progress = {
  readonly name: string
  readonly fraction: number
  /** Which one of how many that were chosen together. */
  readonly number: number
  readonly of: number
}
export type SlotState = {
  /** Null while nothing is on its way. */
  readonly progress: Progress | null
  /** Why files were not taken, in words: a line for each. */
  readonly problem: string | null
  /** Whether the last file is there. */
  readonly arrived: boolean
}

export type Transfer = {
  readonly name: string
  /** Checks and sends the file. What it becomes stands in the form; null when the form has no part in it. */
  readonly send: (onProgress: (fraction: number) => void, signal: AbortSignal) => Promise<StoredFile | null>
  /** What failed, in words. */
  readonly explain: (error: unknown) => string
}

export type Uploads = ReturnType<typeof createUploads>

const IDLE: SlotState = { progress: null, problem: null, arrived: false }

/**
 * What a form is uploading, by slot. It is kept beside the tabs because an upload outlives the tab it began on: it goes on while another is
 * shown, can be watched and stopped when its own is shown again, and saving waits for it.
 */
export function createUploads() {
  const states = new Map<string, SlotState>()
  const running = new Map<string, { readonly controller: AbortController; left: number }>()
  const takers = new Map<string, (file: StoredFile) => void>()
  const listeners = new Set<() => void>()
  const show = (slot: string, state: SlotState) => {
    states.set(slot, state)
    for (const tell of listeners) tell()
  }
  return {
    subscribe(this: void, listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** How many are on their way. */
    count: () => [...running.values()].reduce((sum, { left }) => sum + left, 0),
    stateOf: (slot: string): SlotState => states.get(slot) ?? IDLE,
    /** The one who shows the slot takes its file; while nobody does, the last who did. */
    takenBy: (slot: string, take: (file: StoredFile) => void) => void takers.set(slot, take),
    /** Sends files into a slot, one after the other. Nothing happens while the slot is busy. */
    async run(slot: string, transfers: readonly Transfer[]): Promise<void> {
      if (running.has(slot)) return
      const controller = new AbortController()
      const job = { controller, left: transfers.length }
      running.set(slot, job)
      const problems: string[] = []
      let arrived = false
      for (const [index, { name, send, explain }] of transfers.entries()) {
        if (controller.signal.aborted) break
        const progress = (fraction: number) =>
          show(slot, { ...IDLE, progress: { name, fraction, number: index + 1, of: transfers.length } })
        progress(0)
        try {
          // oxlint-disable-next-line no-await-in-loop -- The server takes the files of a slot in their order.
          const file = await send(progress, controller.signal)
          if (file !== null) takers.get(slot)?.(file)
          arrived = true
        } catch (error) {
          if (!controller.signal.aborted) problems.push(`${name}: ${explain(error)}`)
        }
        job.left -= 1
      }
      running.delete(slot)
      show(slot, {
        ...IDLE,
        problem: problems.length === 0 ? null : problems.join('\n'),
        arrived: arrived && problems.length === 0,
      })
    },
    stop: (slot: string) => running.get(slot)?.controller.abort(),
    stopAll: () => running.forEach(({ controller }) => controller.abort()),
    /** Forgets how the last upload ended. */
    dismiss: (slot: string) => show(slot, { ...IDLE, progress: states.get(slot)?.progress ?? null }),
  }
}
