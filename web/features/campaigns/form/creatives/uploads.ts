import type { z } from '../../../../../api/contract/zod.ts'
import type { storedFile } from '../../../../../api/contract/files.ts'

export type StoredFile = z.infer<typeof storedFile>
export type Progress = {
  readonly name: string
  readonly fraction: number
  /** Position and number of the files chosen together. */
  readonly number: number
  readonly of: number
}
export type SlotState = {
  /** Null when no upload is running. */
  readonly progress: Progress | null
  /** Error texts of rejected files, one line each. */
  readonly problem: string | null
  /** Whether the last file has arrived. */
  readonly arrived: boolean
}

export type Transfer = {
  readonly name: string
  /** Checks and sends the file. Returns its form value, or null when the form does not use it. */
  readonly send: (onProgress: (fraction: number) => void, signal: AbortSignal) => Promise<StoredFile | null>
  /** Returns the error as text. */
  readonly explain: (error: unknown) => string
}

export type Uploads = ReturnType<typeof createUploads>

const IDLE: SlotState = { progress: null, problem: null, arrived: false }

/**
 * Creates the upload state of a form, by slot. It lives outside the tabs because an upload outlives the tab that started it: it
 * continues while another tab is shown, its own tab shows its progress and can stop it, and saving waits for it.
 */
export function createUploads() {
  const states = new Map<string, SlotState>()
  const running = new Map<string, { readonly controller: AbortController; left: number }>()
  const takers = new Map<string, (file: StoredFile) => void>()
  const listeners = new Set<() => void>()
  const show = (slot: string, state: SlotState) => {
    states.set(slot, state)
    for (const notify of listeners) notify()
  }
  return {
    subscribe(this: void, listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Returns the number of files still uploading. */
    count: () => [...running.values()].reduce((sum, { left }) => sum + left, 0),
    stateOf: (slot: string): SlotState => states.get(slot) ?? IDLE,
    /** Sets the receiver of a slot's files. The last mounted receiver stays after it unmounts. */
    takenBy: (slot: string, take: (file: StoredFile) => void) => void takers.set(slot, take),
    /** Uploads files into a slot sequentially. Does nothing while the slot is busy. */
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
    /** Clears the outcome of the last upload. */
    dismiss: (slot: string) => show(slot, { ...IDLE, progress: states.get(slot)?.progress ?? null }),
  }
}
