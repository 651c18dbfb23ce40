import type { z } from '../../../../../api/contract/zod.ts'
import type { storedFile } from '../../../../../api/contract/files.ts'

export type StoredFile = z.infer<typeof storedFile>
export type Progress = { readonly name: string; readonly fraction: number }
export type SlotState = {
  /** Null while nothing is on its way. */
  readonly progress: Progress | null
  /** Why the last file was not taken, in words. */
  readonly problem: string | null
  /** Whether the last file is there. */
  readonly arrived: boolean
}

export type Transfer = {
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
  const running = new Map<string, AbortController>()
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
    count: () => running.size,
    stateOf: (slot: string): SlotState => states.get(slot) ?? IDLE,
    /** The one who shows the slot takes its file; while nobody does, the last who did. */
    takenBy: (slot: string, take: (file: StoredFile) => void) => void takers.set(slot, take),
    /** Fills a slot; one upload at a time. */
    async run(slot: string, name: string, { send, explain }: Transfer): Promise<void> {
      if (running.has(slot)) return
      const controller = new AbortController()
      running.set(slot, controller)
      show(slot, { ...IDLE, progress: { name, fraction: 0 } })
      let end = IDLE
      try {
        const file = await send((fraction) => show(slot, { ...IDLE, progress: { name, fraction } }), controller.signal)
        if (file !== null) takers.get(slot)?.(file)
        end = { ...IDLE, arrived: true }
      } catch (error) {
        if (!controller.signal.aborted) end = { ...IDLE, problem: `${name}: ${explain(error)}` }
      }
      running.delete(slot)
      show(slot, end)
    },
    stop: (slot: string) => running.get(slot)?.abort(),
    stopAll: () => running.forEach((controller) => controller.abort()),
    /** Forgets how the last upload ended. */
    dismiss: (slot: string) => show(slot, { ...IDLE, progress: states.get(slot)?.progress ?? null }),
  }
}
