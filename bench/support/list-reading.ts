/**
 * A process that reads the list over HTTP and reports when it shows a save. Argument: the product's port.
 */
import { createBirpc } from 'birpc'
import { openConnection, type Connection } from './connection.ts'
import type { ListReading, Saved } from './list-reader.ts'

const [port = ''] = process.argv.slice(2)
const free = new Map<string, Connection[]>()

/** Requests the campaign from the list with the client's position, and checks whether the answer contains the save. */
async function shown({ position, name, budget, token }: Saved): Promise<void> {
  const own = free.get(token) ?? []
  free.set(token, own)
  const connection = own.pop() ?? openConnection({ port: Number(port), token })
  for (;;) {
    const { status, body } = await connection.call(
      'POST',
      '/v1/campaign/list/v2',
      JSON.stringify({ page: 0, page_size: 1, name }),
      { 'x-position': String(position) },
    )
    if (status === 503) continue
    own.push(connection)
    if (status !== 200) throw new Error(`list/v2 was refused: ${body.slice(0, 500)}`)
    const { data }: { data: { data: readonly { readonly budget: number | null }[] } } = JSON.parse(body)
    // A later save of the same campaign proves that this one is visible.
    if ((data.data[0]?.budget ?? 0) >= budget) return
    throw new Error(`list/v2 shows ${data.data[0]?.budget} after position ${position}, which set ${budget}`)
  }
}

const calls: ListReading = {
  async seen(saved) {
    await shown(saved)
    return performance.timeOrigin + performance.now() - saved.acknowledged
  },
}
createBirpc<object, ListReading>(calls, {
  post: (message) => process.send?.(message),
  on: (listener) => process.on('message', listener),
})
