import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { cleanup, render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { toast } from 'sonner'
import { afterEach, vi } from 'vitest'
import type { Role } from '../../domain/access.ts'
import { createQueryClient } from '../api/query-client.ts'
import { storeGrant } from '../api/token-store.ts'
import { makeRouter } from '../router.tsx'

/** The whole application at an address, before a server that answers what a test tells it to. */

export type Sent = { readonly method: string; readonly path: string; readonly body: unknown }
/** What `data` of the envelope is, or the whole response. */
export type Answer = (sent: Sent) => unknown
/** By method and path, as in `GET /v1/user/me`. What is not named is answered as not found. */
export type Answers = Readonly<Record<string, Answer>>

// In this order: what is on the screen may still ask the server.
afterEach(() => {
  cleanup()
  toast.dismiss()
  vi.unstubAllGlobals()
})

/** For an answer: the server refuses. */
export const refusal = (code: number, message: string, status = 409) =>
  Response.json({ type: { code, key: '', message }, data: null }, { status })

const person = (role: Role) => ({
  id: 'person-1',
  email: 'person@dsp.example',
  first_name: 'Pat',
  last_name: 'Person',
  phone: null,
  roles: [role],
  role_key: role,
  space_id: 'space-1',
  space_name: 'Nile Ads',
  currency: 'USD',
  balance: 100,
  whitelabel_id: 'label-1',
  created_at: '2026-01-01T00:00:00.000Z',
})
const whitelabel = {
  id: 'label-1',
  name: 'DSP',
  timezone_offset_seconds: 0,
  file_id: null,
  audio_ads: false,
  whitelabel_settings: {
    term_of_service_url: null,
    company_logo: null,
    primary_color: null,
    secondary_color: null,
    warning_color: null,
    gauge_color: null,
  },
}

export const pageOf = (data: readonly unknown[], total_size = data.length) => ({
  current_page: 0,
  page_size: 25,
  total_size,
  data,
})

export function openApp(path: string, role: Role, answers: Answers) {
  const sent: Sent[] = []
  const all: Answers = {
    'GET /v1/user/me': () => person(role),
    'GET /v1/whitelabel/info': () => whitelabel,
    'POST /v1/whitelabel/admin/moderation/queue': () => pageOf([]),
    'POST /v1/campaign/list/v2': () => pageOf([]),
    'POST /v1/campaign/admin/list': () => pageOf([]),
    ...answers,
  }
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const request = {
      method: init.method ?? 'GET',
      path: url.replace(/\?.*/, ''),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : null,
    }
    sent.push(request)
    await Promise.resolve()
    const answer = all[`${request.method} ${request.path}`]
    const given = answer === undefined ? refusal(2, 'Not found', 404) : answer(request)
    return given instanceof Response ? given : Response.json({ type: { code: 0, key: 'OK', message: '' }, data: given })
  })
  storeGrant({ access_token: 'access', refresh_token: 'refresh', expires_in: 3600, space_id: 'space-1' }, Date.now())
  const client = createQueryClient()
  const history = createMemoryHistory({ initialEntries: [path] })
  const router = makeRouter(client, history)
  const view = render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return {
    ...view,
    client,
    router,
    user: userEvent.setup(),
    where: () => history.location.href,
    /** Bodies of what was sent there. */
    sentTo: (called: string) => sent.filter(({ path: at }) => at === called).map(({ body }) => body),
  }
}
