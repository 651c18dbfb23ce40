import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInThisContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { listCampaigns } from '#contract/campaign-list'
import { ROLES } from '#domain/kit/access'
import { can } from './can.ts'
import { withCampaignReaders } from './early-page.ts'
import { listInputOf, listSearch } from '@/features/campaigns/list/campaign-list-search'
import { call } from '@/data/client'
import { spaceId, storeGrant } from './token-store.ts'

const PAGE = { data: [], current_page: 0, page_size: 10, total_size: 0 }
const fileIn = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8')
const envelopeOf = (data: unknown) => JSON.stringify({ type: { code: 0, key: 'OK', message: '' }, data })

describe('early requests of the page', () => {
  let asked: string[]
  beforeEach(() => {
    asked = []
    vi.stubGlobal('matchMedia', () => ({ matches: false }))
    vi.stubGlobal('fetch', async (url: string) => {
      asked.push(url)
      return new Response(envelopeOf(PAGE))
    })
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
    window.earlyRequests = []
  })

  const tokenOf = (roles: readonly string[]) =>
    `head.${btoa(JSON.stringify({ roles, name: 'ÿ?>' }))
      .replaceAll('/', '_')
      .replaceAll('+', '-')}.sign`
  const signIn = (token: string) => storeGrant({ access_token: token, expires_in: 3600, space_id: 'space' }, Date.now())
  /** The very script of the page, which no module may import, as the element of the built page runs it. */
  const load = (address: string) => {
    vi.stubGlobal('location', new URL(address, 'https://dsp.example'))
    const page = new DOMParser().parseFromString(withCampaignReaders(fileIn('../index.html')), 'text/html')
    vi.spyOn(document, 'currentScript', 'get').mockReturnValue(page.querySelector<HTMLScriptElement>('script[src="/first.js"]'))
    runInThisContext(fileIn('../public/first.js'))
  }

  it.each(['2026-03-01T00:30:00', '2026-01-03T12:00:00', '2028-02-29T23:59:00', '2026-10-25T01:30:00'])(
    'early requests of the page contain the list as the address without a search requests it, at %s',
    async (instant) => {
      vi.useFakeTimers({ now: new Date(instant), toFake: ['Date'] })
      signIn(tokenOf(['USER_OWNER']))
      load('/campaigns')
      expect(asked).toEqual(['/v1/user/me', listCampaigns.path])
      const read = await call(listCampaigns, { body: listInputOf(listSearch.parse({}), spaceId(), new Date()) })
      // The early response is used once; the next call sends a request.
      expect(asked).toHaveLength(2)
      expect(read).toMatchObject({ data: [] })
      await call(listCampaigns, { body: listInputOf(listSearch.parse({}), spaceId(), new Date()) })
      expect(asked).toHaveLength(3)
    },
  )

  it('early requests of the page are not used for another page of the list', async () => {
    signIn(tokenOf(['USER_OWNER']))
    load('/campaigns')
    await call(listCampaigns, { body: listInputOf(listSearch.parse({ page: 1 }), spaceId(), new Date()) })
    expect(asked).toHaveLength(3)
  })

  it.each([...ROLES])('early requests of the page contain the list for a %s exactly when the role may read campaigns', (role) => {
    signIn(tokenOf([role]))
    load('/campaigns')
    expect(asked.includes(listCampaigns.path)).toBe(
      can({ id: 'me', roles: [role], space_id: 'space', whitelabel_id: 'label' }, 'campaign.read'),
    )
  })

  it.each(['/campaigns?status=3', '/reports', '/campaign/edit/7'])(
    'early requests of the page contain no list at %s',
    (address) => {
      signIn(tokenOf(['USER_OWNER']))
      load(address)
      expect(asked.filter((url) => url === listCampaigns.path)).toEqual([])
      expect(asked.length).toBeGreaterThan(0)
    },
  )

  it('early requests of the page are empty without a session, and contain no list for an unreadable token', () => {
    load('/campaigns')
    expect(asked).toEqual([])
    signIn('token')
    load('/campaigns')
    expect(asked).toEqual(['/v1/user/me'])
  })
})
