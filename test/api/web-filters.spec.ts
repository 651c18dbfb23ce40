import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { forgetPosition } from '@/data/position'
import { storeGrant } from '@/session/token-store'
import { startTestProduct, type TestProduct } from '../support/product.ts'
import { client, fill, LISTS, SCHEMAS, text, type List, type Pages, type Row, type Search } from '../support/web-lists.ts'

// Browser objects that the modules of the application need. Before they load.
vi.hoisted(() => {
  const kept = new Map<string, string>()
  const page = { addEventListener: () => {}, removeEventListener: () => {}, querySelector: () => null }
  vi.stubGlobal('window', page)
  vi.stubGlobal('document', page)
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
})
afterAll(() => void vi.unstubAllGlobals())

const LISTED = Object.entries(LISTS)
const idOf = (row: Row) => text(row['id'] ?? JSON.stringify(row))

describe('each list of the application', () => {
  let product: TestProduct
  beforeAll(async () => {
    product = await startTestProduct()
    await fill(product)
    await product.swept()
    const send = globalThis.fetch
    vi.stubGlobal('fetch', (url: string, init?: RequestInit) => send(url.startsWith('/') ? product.base + url : url, init))
  })
  afterAll(() => {
    client.clear()
    return product.stop()
  })

  async function pagesOf({ at: [, user], base, read }: List, search: Search = {}): Promise<Pages> {
    const session = await product.as(user)
    const { space_id } = (await session.call<{ readonly space_id: string }>('GET', '/v1/user/me')).data
    forgetPosition()
    client.clear()
    storeGrant({ access_token: session.token, expires_in: 3600, space_id }, Date.now())
    return read.pages({ ...base?.(), ...search })
  }
  const known = new Map<List, readonly Row[]>()
  const unfiltered = async (list: List) => {
    const rows = known.get(list) ?? (await pagesOf(list)).flat()
    known.set(list, rows)
    return rows
  }

  const paging = LISTED.filter(([, { read }]) => read.single !== true)
  it.each(paging)('the pages of %s show each row once', async (_, list) => {
    const [key = '', choices = []] = list.sizes ?? []
    const pages = await pagesOf(list, { [key]: choices[0] })
    const ids = pages.flat().map(idOf)
    expect(pages.length).toBeGreaterThan(1)
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(pages.slice(0, -1).map(({ length }) => length)).size).toBe(1)
  })

  const filters = LISTED.flatMap(([name, list]) =>
    (list.filters ?? []).map((filter) => {
      const [keys, value] = filter
      return [`${name}: ${keys} ${typeof value === 'string' ? value : ''}`.trim(), list, filter] as const
    }),
  )
  it.each(filters)('the server filters %s', async (_, list, [keys, value, keeps = keys]) => {
    const all = await unfiltered(list)
    const sent = typeof value === 'function' ? value(all) : value
    const search = { ...list.base?.(), ...(typeof sent === 'object' ? sent : { [keys]: sent }) }
    const rows = (await pagesOf(list, search)).flat()
    if (typeof keeps === 'object' && 'holds' in keeps && typeof keeps.holds === 'function') {
      expect({ holds: keeps.holds(rows, all), rows }).toMatchObject({ holds: true })
      expect(keeps.holds(all, all)).toBe(false)
      return
    }
    const isKept = (row: Row): boolean => {
      if (typeof keeps === 'function') return keeps(row, search)
      const fields = typeof keeps === 'string' ? { [keeps]: sent } : keeps
      return Object.entries(fields).every(([field, wanted]) => text(row[field]) === text(wanted))
    }
    const ids = (some: readonly Row[]) => some.map(idOf).sort()
    expect(ids(rows)).toEqual(ids(all.filter(isKept)))
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.length).toBeLessThan(all.length)
  })

  const sorted = LISTED.flatMap(([name, list]) =>
    (list.sorts?.[1] ?? []).map(
      (by) => [`${name} by ${by}`, list, list.sorts?.[0] ?? '', by, list.sorts?.[2](by) ?? ''] as const,
    ),
  )
  it.each(sorted)('the server sorts %s in both directions', async (_, list, key, by, field) => {
    const valuesOf = async (dir: string) =>
      (await pagesOf(list, { [key]: by, dir }))
        .flat()
        .flatMap((row) => row[field] ?? [])
        .map((one) => (typeof one === 'string' ? one.toLowerCase() : Number(one)))
    const [up, down] = [await valuesOf('asc'), await valuesOf('desc')]
    expect(up).toEqual(up.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)))
    expect(down).toEqual(up.toReversed())
    expect(new Set(up).size).toBeGreaterThan(1)
  })

  const sizes = LISTED.flatMap(([name, list]) =>
    (list.sizes?.[1] ?? []).map((rows) => [`${name}: ${rows}`, list, list.sizes?.[0] ?? '', rows] as const),
  )
  it.each(sizes)('a page has as many rows as the user chose, %s', async (_, list, key, rows) => {
    const [first = []] = await pagesOf(list, { [key]: rows })
    expect(first.length).toBe(Math.min(rows, (await unfiltered(list)).length))
  })
})

/** Pages without a list. */
const OTHER_PAGES = 'statisticsSearch timelineSearch keySearch profileSearch signInSearch customizationSearch createSearch'.split(
  ' ',
)
/** A part of a page whose list is in another file, and packages, which only a build has. */
const OTHER_FILES = ['app/frame/chat/chat-widget.tsx', 'features/operations/licences-tab.tsx']

describe('the lists of these tests', () => {
  it('the lists of these tests send each search parameter of their pages', () => {
    const sent = (wanted: string) =>
      LISTED.filter(([, { at }]) => at[2] === wanted).flatMap(([, { filters: some = [], sizes, sorts, read }]) => [
        ...some.flatMap(([keys]) => keys.split(' ')),
        ...(sizes === undefined ? [] : [sizes[0]]),
        ...(sorts === undefined ? [] : [sorts[0], 'dir']),
        ...(read.single === true ? [] : [wanted === 'editSearch' ? 'log_page' : 'page']),
      ])
    for (const [name, keys] of Object.entries(SCHEMAS))
      expect([name, keys.filter((key) => !sent(name).includes(key))]).toEqual([name, []])
  })

  it('the lists of these tests are those of all pages', () => {
    const filesOf = (folder: string) =>
      readdirSync(`web/${folder}`, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.tsx?$/.test(name) && !/\.spec\.tsx?$/.test(name))
        .map((name) => ({ name: `${folder}/${name}`, source: readFileSync(`web/${folder}/${name}`, 'utf8') }))
    const schemas = filesOf('routes').flatMap(({ source }) => /validateSearch: (\w+)/.exec(source)?.[1] ?? [])
    expect(schemas.filter((name) => !(name in SCHEMAS) && !OTHER_PAGES.includes(name))).toEqual([])
    const files = [...filesOf('features'), ...filesOf('app')]
      .filter(({ source }) => /\b(useListPage|useInfiniteQuery|usePageInRange)\(|\bonView=/.test(source))
      .map(({ name }) => name)
    expect(files.filter((name) => !LISTED.some(([, { at }]) => at[0] === name) && !OTHER_FILES.includes(name))).toEqual([])
  })
})
