export type UploadRow = {
  readonly id: number
  readonly name: string
  /** Bytes. */
  readonly size: number
  readonly state: 'waiting' | 'uploading' | 'done' | 'refused'
  /** Between 0 and 1. */
  readonly fraction: number
  /** Why the file was refused. */
  readonly reason: string | null
}

export type Transfer<Stored> = {
  readonly file: File
  /** Checks and sends the file. Returns the stored file, or null when the page does not use it. */
  readonly send: (onProgress: (fraction: number) => void, signal: AbortSignal) => Promise<Stored | null>
  /** Returns the error as text. */
  readonly explain: (error: unknown) => string
}

export type Uploads<Stored> = ReturnType<typeof createUploads<Stored>>

const NONE: readonly UploadRow[] = []
export const isActive = ({ state }: UploadRow) => state === 'waiting' || state === 'uploading'

/**
 * Creates the upload state of a page, by slot. It lives outside the components because an upload outlives the tab that started it:
 * it continues while another tab is shown, its own tab shows its progress and can cancel it, and saving waits for it.
 */
export function createUploads<Stored>() {
  const slots = new Map<string, readonly UploadRow[]>()
  const transfers = new Map<number, Transfer<Stored>>()
  const running = new Map<number, { readonly slot: string; readonly controller: AbortController }>()
  const limits = new Map<string, number>()
  const receivers = new Map<string, (file: Stored) => void>()
  const listeners = new Set<() => void>()
  let lastId = 0

  const rowsOf = (slot: string) => slots.get(slot) ?? NONE
  const show = (slot: string, rows: readonly UploadRow[]) => {
    slots.set(slot, rows)
    for (const notify of listeners) notify()
  }
  const update = (slot: string, id: number, change: Partial<UploadRow>) =>
    show(
      slot,
      rowsOf(slot).map((row) => (row.id === id ? { ...row, ...change } : row)),
    )
  const startNext = (slot: string) => {
    const inSlot = [...running.values()].filter((one) => one.slot === slot).length
    const waiting = rowsOf(slot).filter(({ state }) => state === 'waiting')
    for (const { id } of waiting.slice(0, Math.max(0, (limits.get(slot) ?? 1) - inSlot))) void run(slot, id)
  }
  async function run(slot: string, id: number) {
    const transfer = transfers.get(id)
    if (transfer === undefined) return
    const controller = new AbortController()
    running.set(id, { slot, controller })
    update(slot, id, { state: 'uploading', fraction: 0 })
    try {
      const stored = await transfer.send((fraction) => update(slot, id, { fraction }), controller.signal)
      if (stored !== null) receivers.get(slot)?.(stored)
      update(slot, id, { state: 'done', fraction: 1 })
      transfers.delete(id)
    } catch (error) {
      if (!controller.signal.aborted) update(slot, id, { state: 'refused', reason: transfer.explain(error) })
    }
    running.delete(id)
    // Notifies that fewer files are uploading.
    show(slot, rowsOf(slot))
    startNext(slot)
  }
  const remove = (slot: string, id: number) => {
    running.get(id)?.controller.abort()
    transfers.delete(id)
    show(
      slot,
      rowsOf(slot).filter((row) => row.id !== id),
    )
  }
  const clear = (slot: string) => show(slot, rowsOf(slot).filter(isActive))
  return {
    subscribe(this: void, listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Returns the number of files that have not ended. A cancelled file counts until its request has ended. */
    count: () => running.size + [...slots.values()].flat().filter(({ state }) => state === 'waiting').length,
    rowsOf,
    /** Sets the receiver of a slot's files. The last mounted receiver stays after it unmounts. */
    receivedBy: (slot: string, receive: (file: Stored) => void) => void receivers.set(slot, receive),
    /** Uploads files into a slot, `atOnce` at a time, and removes the ended ones from its list. */
    add(slot: string, added: readonly Transfer<Stored>[], atOnce: number) {
      limits.set(slot, atOnce)
      const rows = added.map((transfer): UploadRow => {
        lastId += 1
        transfers.set(lastId, transfer)
        return { id: lastId, name: transfer.file.name, size: transfer.file.size, state: 'waiting', fraction: 0, reason: null }
      })
      show(slot, [...rowsOf(slot).filter(isActive), ...rows])
      startNext(slot)
    },
    retry(slot: string, id: number) {
      update(slot, id, { state: 'waiting', fraction: 0, reason: null })
      startNext(slot)
    },
    /** Removes a file from the list, and cancels it while it is uploading. */
    remove,
    /** Removes the ended files from the list. */
    clear,
    cancelAll() {
      for (const [slot, rows] of slots) for (const { id } of rows.filter(isActive)) remove(slot, id)
    },
  }
}
