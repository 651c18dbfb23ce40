/** A process that reads the list over HTTP and tells when it shows a save. Arguments: where the product is, and whose token to send. */
import { createBirpc } from 'birpc'
import type { ListReading, Saved } from './list-reader.ts'

const [base = '', token = ''] = process.argv.slice(2)

/** Asks the list for the campaign as a client does that sends its position back, and looks whether the save is in the answer. */
async function shown({ position, name, budget }: Saved): Promise<void> {
  for (;;) {
    const response = await fetch(`${base}/v1/campaign/list/v2`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-position': String(position) },
      body: JSON.stringify({ page: 0, page_size: 1, name }),
    })
    if (response.status === 503) continue
    const { data }: { data: { data: readonly { readonly budget: number | null }[] } } = await response.json()
    // A later save of the same campaign shows as well that this one was seen.
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
