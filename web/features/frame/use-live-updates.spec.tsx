import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { storeGrant } from '../../api/token-store.ts'
import { sessionQueries } from '../../domain/session-queries.ts'
import { campaignQueries } from '../campaigns/campaign-queries.ts'
import { useLiveUpdates } from './use-live-updates.ts'

const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } })
let say: ((text: string) => void) | null = null
let answers: ((name: string) => void)[] = []

beforeEach(() => {
  say = null
  answers = []
  storeGrant({ access_token: 'a', refresh_token: 'b', expires_in: 3600, space_id: 's' }, Date.now())
  client.setQueryData<unknown>(sessionQueries.me().queryKey, { roles: ['USER_OWNER'], first_name: 'Ada', last_name: '' })
  vi.stubGlobal('fetch', async () => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const bytes = new TextEncoder()
        say = (text) => controller.enqueue(bytes.encode(text))
      },
    })
    return new Response(body, { status: 200 })
  })
})
afterEach(() => {
  client.clear()
  vi.unstubAllGlobals()
})

function Screen() {
  useLiveUpdates()
  const { data } = useQuery({
    queryKey: [...campaignQueries.details(), 'one'],
    queryFn: () => new Promise<string>((resolve) => answers.push(resolve)),
  })
  return <p>{data ?? 'nothing yet'}</p>
}

const open = async () => {
  render(
    <QueryClientProvider client={client}>
      <Screen />
    </QueryClientProvider>,
  )
  await waitFor(() => expect(say).not.toBeNull())
  expect(answers).toHaveLength(1)
}
const waits = (n: number) => waitFor(() => expect(answers).toHaveLength(n), { timeout: 3000 })

it('what was read before the stream was ready is read again', async () => {
  await open()
  answers[0]?.('before')
  await screen.findByText('before')
  say?.('event: ready\ndata: {}\n\n')
  await waits(2)
  answers[1]?.('after')
  await screen.findByText('after')
})

it('a first read that takes longer than the news of a change is made again', async () => {
  await open()
  say?.('event: ready\ndata: {}\n\n')
  // Shown a while after it was told.
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect(answers).toHaveLength(1)
  answers[0]?.('before')
  await waits(2)
  answers[1]?.('after')
  await screen.findByText('after')
})
