import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { storeGrant } from '@/session/token-store'
import { sessionQueries } from '@/session/session-queries'
import { attentionQueries } from '@/data/attention-queries'
import { followChanges } from '#contract/live'
import { campaignQueries } from '@/data/campaign-queries'
import { useLiveUpdates } from './use-live-updates.ts'
import { fastTimers } from '@/test/time'

const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } })
type Read = { readonly answer: (name: string) => void; readonly fail: (error: Error) => void }
let say: ((text: string) => void) | null = null
/** Requests for either campaign, oldest first. */
let reads: { readonly one: Read[]; readonly two: Read[] }

const ADA = { roles: ['USER_OWNER'], first_name: 'Ada', last_name: '' }
/** Reads of the user. */
let usersRead = 0

beforeEach(() => {
  fastTimers()
  say = null
  usersRead = 0
  reads = { one: [], two: [] }
  storeGrant({ access_token: 'a', expires_in: 3600, space_id: 's' }, Date.now())
  client.setQueryData<unknown>(sessionQueries.me().queryKey, ADA)
  vi.stubGlobal('fetch', async (address: string) => {
    if (!address.endsWith(followChanges.path)) {
      usersRead += 1
      return new Response(JSON.stringify({ type: { code: 0, key: 'ok', message: '' }, data: ADA }))
    }
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

type Name = keyof typeof reads
const noteRead = (name: Name) => new Promise<string>((answer, fail) => reads[name].push({ answer, fail }))

function Live() {
  useLiveUpdates()
  return null
}

function Campaign({ name }: { readonly name: Name }) {
  const { data } = useQuery({ queryKey: [...campaignQueries.details(), name], queryFn: () => noteRead(name) })
  return <p>{data ?? 'nothing yet'}</p>
}

const show = (children: ReactNode) => render(<QueryClientProvider client={client}>{children}</QueryClientProvider>)

/** Both campaigns are on the screen, and their first reads are pending. */
async function open() {
  const frame = show(<Live />)
  show(
    <>
      <Campaign name="one" />
      <Campaign name="two" />
    </>,
  )
  await waitFor(() => expect(say).not.toBeNull())
  expect([reads.one.length, reads.two.length]).toEqual([1, 1])
  return { leaveFrame: frame.unmount }
}
const waits = (name: Name, n: number) => waitFor(() => expect(reads[name]).toHaveLength(n))
async function answer(name: Name, text: string) {
  reads[name].at(-1)?.answer(text)
  await screen.findByText(text)
}
const notify = () => say?.('event: ready\ndata: {}\n\n')

/** Notifies of a change of everything. It is shown after a delay: the second campaign, answered at once, is then refetched. */
async function notifyAndWait() {
  const before = reads.two.length
  notify()
  await waits('two', before + 1)
  await answer('two', `two, ${before + 1}`)
}

/** The first campaign is being refetched, and another notification arrived during that. */
async function openReadingAgain() {
  await open()
  await answer('one', 'at first')
  await answer('two', 'two, 1')
  await notifyAndWait()
  await waits('one', 2)
  await notifyAndWait()
}

it('refetches queries that were read before the stream was ready', async () => {
  await open()
  await answer('one', 'before')
  notify()
  await waits('one', 2)
  await answer('one', 'after')
})

it('refetches after a first read that was slower than a change notification', async () => {
  await open()
  await answer('two', 'two, 1')
  await notifyAndWait()
  expect(reads.one).toHaveLength(1)
  await answer('one', 'before')
  await waits('one', 2)
  await answer('one', 'after')
})

it('lets a slow refetch finish under further notifications, and refetches once more', async () => {
  await openReadingAgain()
  await notifyAndWait()
  expect(reads.one).toHaveLength(2)
  await answer('one', 'during')
  await waits('one', 3)
  await answer('one', 'at last')
  expect(reads.one).toHaveLength(3)
})

it('reads the user again when the stream connects again, since their rights may have changed', async () => {
  await open()
  notify()
  await answer('one', 'before')
  await waits('one', 2)
  expect(usersRead).toBe(0)
  notify()
  await waitFor(() => expect(usersRead).toBe(1))
})

it('refetches once after a first read during which several notifications arrived', async () => {
  await open()
  await answer('two', 'two, 1')
  await notifyAndWait()
  await notifyAndWait()
  await answer('one', 'before')
  await waits('one', 2)
  await answer('one', 'after')
  expect(reads.one).toHaveLength(2)
})

it('refetches other queries during a slow first read', async () => {
  await open()
  const listed = [...campaignQueries.lists(), 'not on the screen']
  client.setQueryData(listed, 'a list')
  notify()
  await waitFor(() => expect(client.getQueryState(listed)?.isInvalidated).toBe(true))
  await answer('two', 'before')
  await waits('two', 2)
  await answer('two', 'after')
  expect(reads.one).toHaveLength(1)
})

it('retries a refetch that failed after a change notification', async () => {
  await openReadingAgain()
  reads.one[1]?.fail(new Error('lost'))
  await waits('one', 3)
  await answer('one', 'after')
})

it('refetches after half a minute when a refetch gets no answer', async () => {
  await openReadingAgain()
  await vi.advanceTimersByTimeAsync(30_000)
  await waits('one', 3)
  await answer('one', 'after')
})

it('neither cancels nor repeats a read that began after the change notification', async () => {
  await openReadingAgain()
  // As after a command of this user.
  void client.invalidateQueries({ queryKey: [...campaignQueries.details(), 'one'] })
  await waits('one', 3)
  await answer('one', 'after')
  await new Promise((resolve) => setTimeout(resolve))
  expect(reads.one).toHaveLength(3)
})

it('refetches nothing after the frame was unmounted', async () => {
  const { leaveFrame } = await open()
  await answer('two', 'two, 1')
  await notifyAndWait()
  leaveFrame()
  await answer('one', 'before')
  await new Promise((resolve) => setTimeout(resolve))
  expect(reads.one).toHaveLength(1)
})

it('refetches what needs attention when a campaign changed', async () => {
  let asked = 0
  function Attention() {
    const { data } = useQuery({ queryKey: attentionQueries.all(), queryFn: async () => (asked += 1) })
    return <p>{`attention ${data ?? ''}`}</p>
  }
  await open()
  show(<Attention />)
  await screen.findByText('attention 1')
  say?.('event: campaigns\ndata: {"ids":["one"]}\n\n')
  await screen.findByText('attention 2')
})

it('refetches figures when something was delivered, at most every five seconds, and nothing else', async () => {
  let figures = 0
  function Figures() {
    const { data } = useQuery({ queryKey: ['reports', 'account', 'total'], queryFn: async () => (figures += 1) })
    return <p>{`figures ${data ?? ''}`}</p>
  }
  await open()
  show(<Figures />)
  await screen.findByText('figures 1')
  await answer('one', 'before')
  await answer('two', 'two, 1')
  for (let n = 0; n < 3; n++) say?.('event: figures\ndata: {"ids":["one"]}\n\n')
  await waitFor(() => expect(figures).toBe(2))
  expect([reads.one.length, reads.two.length]).toEqual([1, 1])
})
