import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { forgetPosition } from '@/data/position'
import { storeGrant } from '@/session/token-store'
import { startTestProduct, type TestProduct } from '../support/product.ts'
import {
  client,
  fill,
  LISTS,
  OTHER_FILES,
  OTHER_PAGES,
  SCHEMAS,
  text,
  type List,
  type Pages,
  type Row,
  type Search,
} from '../support/web-lists.ts'

// What the modules of the application need of a browser. Before they load.
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

const filesOf = (folder: string) =>
  readdirSync(`web/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.spec\.tsx?$/.test(name))
    .map((name) => ({ name: `${folder}/${name}`, source: readFileSync(`web/${folder}/${name}`, 'utf8') }))

const idIn =
  ({ id }: List) =>
  (row: Row) =>
    id === undefined ? row['id'] : id(row)

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

  async function pagesOf(list: List, search: Search = {}): Promise<Pages> {
    const session = await product.as(list.as)
    const { space_id } = (await session.call<{ readonly space_id: string }>('GET', '/v1/user/me')).data
    forgetPosition()
    client.clear()
    storeGrant({ access_token: session.token, expires_in: 3600, space_id }, Date.now())
    return list.pages({ ...list.base?.(), ...search })
  }
  const known = new Map<List, readonly Row[]>()
  const unfiltered = async (list: List) => {
    const rows = known.get(list) ?? (await pagesOf(list)).flat()
    known.set(list, rows)
    return rows
  }

  const paging = LISTS.filter(({ single }) => single !== true).map((list) => [list.name, list] as const)
  it.each(paging)('the pages of %s show each row once', async (_, list) => {
    const smallest = list.sizes === undefined ? {} : { [list.sizes.key]: list.sizes.choices[0] }
    const pages = await pagesOf(list, smallest)
    const ids = pages.flat().map(idIn(list))
    expect(pages.length).toBeGreaterThan(1)
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(pages.slice(0, -1).map(({ length }) => length)).size).toBe(1)
  })

  const filters = LISTS.flatMap((list) =>
    (list.filters ?? []).map((filter) => {
      const set = typeof filter.set === 'function' ? '' : Object.values(filter.set).join(' to ')
      return [`${list.name}: ${`${filter.key} ${set}`.trim()}`, list, filter] as const
    }),
  )
  it.each(filters)('the server filters %s', async (_, list, { set, keeps, holds }) => {
    const all = await unfiltered(list)
    const search = { ...list.base?.(), ...(typeof set === 'function' ? set(all) : set) }
    const rows = (await pagesOf(list, search)).flat()
    if (keeps !== undefined) {
      const ids = (some: readonly Row[]) => some.map((row) => text(idIn(list)(row))).sort()
      expect(ids(rows)).toEqual(ids(all.filter((row) => keeps(row, search))))
      expect(rows.length).toBeGreaterThan(0)
      expect(rows.length).toBeLessThan(all.length)
    }
    if (holds !== undefined) {
      expect({ holds: holds(rows, all), rows }).toMatchObject({ holds: true })
      expect(holds(all, all)).toBe(false)
    }
  })

  const sorted = LISTS.flatMap((list) => (list.sorts?.by ?? []).map((by) => [`${list.name} by ${by}`, list, by] as const))
  it.each(sorted)('the server sorts %s in both directions', async (_, list, by) => {
    const { key, value } = list.sorts ?? { key: '', value: () => null }
    const valuesOf = async (dir: string) =>
      (await pagesOf(list, { [key]: by, dir }))
        .flat()
        .flatMap((row) => value(row, by) ?? [])
        .map((one) => (typeof one === 'string' ? one.toLowerCase() : Number(one)))
    const [up, down] = [await valuesOf('asc'), await valuesOf('desc')]
    expect(up).toEqual(up.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)))
    expect(down).toEqual(up.toReversed())
    expect(new Set(up).size).toBeGreaterThan(1)
  })

  const sizes = LISTS.flatMap((list) => (list.sizes?.choices ?? []).map((rows) => [`${list.name}: ${rows}`, list, rows] as const))
  it.each(sizes)('a page has as many rows as the user chose, %s', async (_, list, rows) => {
    const all = await unfiltered(list)
    const [first = []] = await pagesOf(list, { [list.sizes?.key ?? '']: rows })
    expect(first.length).toBe(Math.min(rows, all.length))
  })
})

describe('the lists of these tests', () => {
  it('send each search parameter of their pages', () => {
    const sent = (schema: string) =>
      LISTS.filter((list) => list.schema === schema).flatMap(({ filters = [], sizes, sorts, single }) => [
        ...filters.map(({ key }) => key),
        ...(sizes === undefined ? [] : [sizes.key]),
        ...(sorts === undefined ? [] : [sorts.key, 'dir']),
        ...(single === true ? [] : [schema === 'editSearch' ? 'log_page' : 'page']),
      ])
    for (const [schema, { keys, unsent }] of Object.entries(SCHEMAS))
      expect([schema, keys.filter((key) => !unsent.includes(key) && !sent(schema).includes(key))]).toEqual([schema, []])
  })

  it('are those of all pages', () => {
    const schemas = filesOf('routes').flatMap(({ source }) => /validateSearch: (\w+)/.exec(source)?.[1] ?? [])
    expect(schemas.filter((name) => !(name in SCHEMAS) && !OTHER_PAGES.includes(name))).toEqual([])
    const files = [...filesOf('features'), ...filesOf('app')]
      .filter(({ source }) => /\b(useListPage|useInfiniteQuery|usePageInRange)\(|\bonView=/.test(source))
      .map(({ name }) => name)
    expect(files.filter((name) => !LISTS.some(({ file }) => file === name) && !OTHER_FILES.includes(name))).toEqual([])
  })
})
