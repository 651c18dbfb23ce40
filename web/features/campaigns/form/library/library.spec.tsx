import { QueryClient } from '@tanstack/react-query'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { renderInForm } from '@/test/campaign-form'
import { BannerDrop } from '../tabs/banner/banner-drop.tsx'
import ResponsiveTab from '../tabs/responsive/responsive-tab.tsx'

const fileOf = (n: number, over: object = {}) => ({
  file_id: `f-${n}`,
  file_url: `/v1/file/cache/f-${n}`,
  name: `box ${n}.png`,
  kind: 'image',
  content_type: 'image/png',
  width: 300,
  height: 250,
  size: 2048,
  duration: null,
  preview_url: null,
  warnings: [],
  used_at: '2026-06-01T00:00:00.000Z',
  campaigns: 2,
  reviewed: true,
  ...over,
})

/** The library answers with these pages; returns what it was asked. */
function libraryHas(...pages: readonly (readonly object[])[]) {
  const asked: URL[] = []
  vi.stubGlobal('fetch', async (input: string | URL | Request) => {
    const url = new URL(input instanceof Request ? input.url : String(input), 'http://placard.test')
    asked.push(url)
    const at = Number(url.searchParams.get('after') ?? 0)
    const next = at + 1 < pages.length ? String(at + 1) : null
    const body = { type: { code: 0, key: 'OK', message: 'OK' }, data: { files: pages[at] ?? [], next } }
    return new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' } })
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  return {
    asked: () =>
      asked.filter(({ pathname }) => pathname.endsWith('/library')).map(({ searchParams }) => Object.fromEntries(searchParams)),
  }
}
const client = () => new QueryClient({ defaultOptions: { queries: { retry: false } } })
const Banners = () => <BannerDrop size={{ width: 300, height: 250 }} onUploaded={() => {}} />
const tile = (name: string) => screen.findByRole('option', { name: new RegExp(name) })
const dialog = async () => within(await screen.findByRole('dialog', { name: 'From the library' }))

describe('the library', () => {
  it('adds the chosen files without an upload', async () => {
    const { asked } = libraryHas([fileOf(1), fileOf(2), fileOf(3)])
    const { form } = renderInForm(<Banners />, null, false, { client: client() })
    await userEvent.click(screen.getByRole('button', { name: 'From the library' }))
    await userEvent.click(await tile('box 1'))
    await userEvent.click(await tile('box 3'))
    expect(await tile('box 1')).toHaveAttribute('aria-selected', 'true')
    expect((await dialog()).getByRole('status')).toHaveTextContent('2 chosen')
    await userEvent.click((await dialog()).getByRole('button', { name: 'Add 2 creatives' }))
    expect(form().getValues('banners')).toMatchObject([
      { fileId: 'f-3', width: 300, height: 250, creativeName: 'box_3' },
      { fileId: 'f-1', creativeName: 'box_1' },
    ])
    expect(asked()).toEqual([expect.objectContaining({ role: 'banner' })])
  })

  it('the library is walked and chosen from by keys', async () => {
    libraryHas([fileOf(1), fileOf(2), fileOf(3)])
    renderInForm(<Banners />, null, false, { client: client() })
    await userEvent.click(screen.getByRole('button', { name: 'From the library' }))
    ;(await tile('box 1')).focus()
    await userEvent.keyboard('{End}')
    expect(await tile('box 3')).toHaveFocus()
    await userEvent.keyboard('{ArrowLeft} ')
    expect(await tile('box 2')).toHaveFocus()
    expect(await tile('box 2')).toHaveAttribute('aria-selected', 'true')
    await userEvent.keyboard('{Home} ')
    expect(screen.getByRole('button', { name: 'Add 2 creatives' })).toBeEnabled()
    await userEvent.keyboard(' ')
    expect(screen.getByRole('button', { name: 'Add 1 creative' })).toBeEnabled()
  })

  it('lets one file be chosen where the place takes one, and asks for files that fit it', async () => {
    const { asked } = libraryHas([fileOf(1, { width: 1200, height: 627 }), fileOf(2, { width: 1200, height: 627 })])
    const { form } = renderInForm(<ResponsiveTab />, null, false, { client: client() })
    await userEvent.click(screen.getByRole('button', { name: 'From the library: Image' }))
    await userEvent.click(await tile('box 1'))
    await userEvent.click(await tile('box 2'))
    expect(await tile('box 1')).toHaveAttribute('aria-selected', 'false')
    await userEvent.click((await dialog()).getByRole('button', { name: 'Add 1 creative' }))
    expect(form().getValues('responsive.images')).toMatchObject([{ file_id: 'f-2' }])
    expect(asked()[0]).toMatchObject({ role: 'dynamicImage', width: '1200', height: '627' })
  })

  it('does not offer a file that the campaign has, and shows more on request', async () => {
    libraryHas([fileOf(1), fileOf(2)], [fileOf(3)])
    const { form } = renderInForm(<Banners />, null, false, { client: client() })
    form().setValue('banners', [{ id: null, width: 300, height: 250, fileId: 'f-1', url: null, creativeName: 'one' }])
    await userEvent.click(screen.getByRole('button', { name: 'From the library' }))
    await userEvent.click(await tile('box 1'))
    expect(await tile('box 1')).toHaveAttribute('aria-disabled', 'true')
    expect(screen.getByRole('button', { name: 'Add creatives' })).toBeDisabled()
    await userEvent.click(screen.getByRole('button', { name: 'Show more' }))
    expect(await tile('box 3')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
  })

  it('searches by name and size, and says when no file fits', async () => {
    const { asked } = libraryHas([])
    renderInForm(<Banners />, null, false, { client: client() })
    await userEvent.click(screen.getByRole('button', { name: 'From the library' }))
    await (await dialog()).findByText('No file fits here.')
    await userEvent.type(screen.getByRole('searchbox', { name: 'Name of the file' }), 'sale')
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Size' }), '728x90')
    await waitFor(() => expect(asked().at(-1)).toMatchObject({ name: 'sale', width: '728', height: '90' }))
  })
})
