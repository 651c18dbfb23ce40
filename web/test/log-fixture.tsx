import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { useState, type ReactNode } from 'react'
import { Toaster } from '@/app/frame/toaster'
import { vi } from 'vitest'
import type { LogEntry } from '#contract/audit'
import { storeGrant } from '@/session/token-store'
import { ShownCampaign } from '@/features/campaigns/shown-campaign'
import { createUploads } from '@/components/upload/uploads'
import type { StoredFile } from '#contract/files'
import { FormBaseContext } from '@/features/campaigns/form/campaign-form-context'
import { campaignWith } from '@/test/campaign-form'
import ChangeLogTab from '@/features/campaigns/change-log/change-log-tab'
import { logSearch, type LogSearch } from '@/features/campaigns/change-log/log-search'
import type { Change } from '@/features/campaigns/change-log/field-changes'
import type { Names } from '@/features/campaigns/change-log/values'

/** For tests: a log and its tab. */

export const NAMES: Names = {
  currency: 'USD',
  zone: 7200,
  country: (code) => `country ${code}`,
  city: (id) => `city ${id}`,
  interest: (id) => `interest ${id}`,
  category: (key) => `category ${key}`,
  app: (id) => `app ${id}`,
  appCategory: (id) => `app category ${id}`,
  bidding: {
    and: 'and',
    or: 'or',
    everything: 'everything',
    rule: ({ field, operator, value }) => `${field} ${operator} ${value}`,
    outcome: (multiplier) => `× ${multiplier}`,
  },
}

export const entryOf = (revision: number, changes: readonly Change[], more: Partial<LogEntry> = {}): LogEntry => ({
  revision,
  author: 'Ada Hassan',
  author_id: 'ada',
  source: 'ui',
  events: ['CampaignUpdated'],
  // In the time zone of the tests.
  commit_date: new Date(2025, 0, 5, 14, revision).toISOString(),
  state_difference: changes.map(({ path, from, to }) => ({ path, value: to, from, to })),
  previous_state: { name: 'Nile', budget: 20 },
  current_state: { name: 'Nile', budget: 30 },
  ...more,
})

type Reply = { readonly data: unknown; readonly code?: number; readonly message?: string }
export type Answers = (url: URL, body: unknown) => Reply | Promise<Reply> | null

/** Serves the log of a campaign. The test's own answers take precedence. */
export function serveLog(entries: readonly LogEntry[], own: Answers = () => null) {
  const sent: { readonly url: URL; readonly body: unknown }[] = []
  storeGrant({ access_token: 'a', expires_in: 3600, space_id: 's' }, Date.now())
  vi.stubGlobal('fetch', async (address: string, init: { readonly body?: string }) => {
    const url = new URL(address, 'http://placard.example')
    const body: unknown = init.body === undefined ? undefined : JSON.parse(init.body)
    sent.push({ url, body })
    const { data, code = 0, message = '' } = (await own(url, body)) ?? standard(entries, url)
    const type = { code, key: code === 0 ? 'OK' : 'refused', message }
    return new Response(JSON.stringify({ type, data }), { status: code === 0 ? 200 : 409 })
  })
  return sent
}

function standard(entries: readonly LogEntry[], url: URL): Reply {
  if (url.pathname.includes('/revision/snapshot/')) {
    const page = Number(url.searchParams.get('page-num'))
    const size = Number(url.searchParams.get('page-size'))
    const found = entries.filter(({ author_id }) => [null, author_id].includes(url.searchParams.get('author')))
    const data = found.slice((page - 1) * size, page * size)
    return { data: { current_page: page, page_size: size, total_size: found.length, data } }
  }
  if (url.pathname.includes('/revision/index/'))
    return {
      data: entries.map(({ revision, author, author_id, commit_date }) => ({ revision, author, author_id, commit_date })),
    }
  return { data: null, code: 1, message: `no answer is set up for ${url.pathname}` }
}

const campaign = campaignWith({ id: 'c1' })
const tabs = { readsOwnerFields: true, audio: false, goal: true, withLog: true }

type BenchProps = {
  readonly start: Partial<LogSearch>
  readonly readOnly: boolean
  readonly onSearch: (search: LogSearch) => void
}

function Bench({ start, readOnly, onSearch }: BenchProps) {
  const [search, setSearch] = useState(() => logSearch.parse(start))
  return (
    <Frame readOnly={readOnly}>
      <ChangeLogTab
        id="c1"
        search={search}
        onSearch={(patch) => {
          const next = { ...search, ...patch }
          setSearch(next)
          onSearch(next)
        }}
      />
      <Toaster />
    </Frame>
  )
}

export function Frame({ readOnly = false, children }: { readonly readOnly?: boolean; readonly children: ReactNode }) {
  const [uploads] = useState(createUploads<StoredFile>)
  const [client] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: false } } }))
  return (
    <QueryClientProvider client={client}>
      <ShownCampaign value={campaign}>
        <FormBaseContext value={{ campaign, type: 'awareness', readOnly, currency: 'USD', zone: null, tabs, uploads }}>
          {children}
        </FormBaseContext>
      </ShownCampaign>
    </QueryClientProvider>
  )
}

/** Renders the tab; `search()` returns the state of the URL. */
export function renderLog(start: Partial<LogSearch> = {}, readOnly = false) {
  let search = logSearch.parse(start)
  const bench = () => (
    <Bench
      start={start}
      readOnly={readOnly}
      onSearch={(next) => {
        search = next
      }}
    />
  )
  const router = createRouter({ routeTree: createRootRoute({ component: bench }), history: createMemoryHistory() })
  render(<RouterProvider router={router as never} />)
  return { search: () => Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) }
}
