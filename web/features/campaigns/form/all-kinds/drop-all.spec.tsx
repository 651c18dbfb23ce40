import { fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { fakeUploads, fileOf, picturesOf } from '@/test/fake-uploads'
import { renderInForm } from '@/test/campaign-form'
import DropAll from './drop-all.tsx'

beforeEach(() => {
  URL.createObjectURL = () => 'blob:one'
  URL.revokeObjectURL = () => {}
})

const choose = (...files: readonly File[]) =>
  userEvent.upload(screen.getByLabelText('Choose files of all kinds'), [...files], { applyAccept: false })
const dialog = async () => within(await screen.findByRole('dialog', { name: 'Add files of all kinds' }))
const png = (name: string, content = name) => fileOf(name, 'image/png', 10, content)
/** Pictures whose size is in their names. */
function sizesInNames(): void {
  vi.stubGlobal('createImageBitmap', (file: File) => {
    const [, width, height] = /(\d+)x(\d+)/.exec(file.name) ?? []
    return Promise.resolve({ width: Number(width), height: Number(height), close: () => {} })
  })
  onTestFinished(() => void vi.unstubAllGlobals())
}

describe('files of all kinds', () => {
  it('files of all kinds are shown with their places before anything is sent', async () => {
    const wire = fakeUploads()
    sizesInNames()
    renderInForm(<DropAll />)
    await choose(png('a 728x90.png'), png('b 1200x627.png'), png('c 1200x627.png'), fileOf('notes.txt', 'text/plain'))
    const shown = await dialog()
    expect(shown.getByRole('status')).toHaveTextContent('3 of 4 files will be added.')
    const placeOf = (name: string) => shown.getByRole('combobox', { name: `Place of ${name}` })
    expect(placeOf('a 728x90.png')).toHaveDisplayValue('Banner ad')
    expect(placeOf('b 1200x627.png')).toHaveDisplayValue('Responsive ad: image')
    expect(placeOf('c 1200x627.png')).toHaveDisplayValue('Native ad: landscape image')
    expect(shown.getByText(/Only images, zip files/)).toBeVisible()
    await userEvent.selectOptions(placeOf('c 1200x627.png'), 'Responsive ad: image')
    expect(placeOf('b 1200x627.png')).toHaveDisplayValue('Native ad: landscape image')
    await userEvent.selectOptions(placeOf('a 728x90.png'), 'Leave out')
    expect(shown.getByRole('button', { name: 'Add 2 files' })).toBeEnabled()
    expect(wire.sent()).toEqual([])
  })

  it('files of all kinds are added at once, and taken out again at once', async () => {
    const wire = fakeUploads()
    picturesOf(300, 250)
    const { form } = renderInForm(<DropAll />)
    await choose(png('one.png'))
    await userEvent.click((await dialog()).getByRole('button', { name: 'Add 1 file' }))
    await wire.succeed({ file_id: 'f-1', name: 'one.png', width: 300, height: 250 })
    expect(wire.sent()).toEqual([expect.stringMatching(/^POST .*\/v1\/file\/upload2\?width=300&height=250$/)])
    expect(form().getValues('banners')).toMatchObject([{ fileId: 'f-1', width: 300, height: 250, creativeName: 'one' }])
    expect(screen.getByText('1 file added.')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
    expect(form().getValues('banners')).toEqual([])
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  })

  it('files of all kinds that are on their way are stopped by undoing', async () => {
    const wire = fakeUploads()
    picturesOf(1200, 627)
    const { form } = renderInForm(<DropAll />)
    await choose(png('one.png'))
    await userEvent.click((await dialog()).getByRole('button', { name: 'Add 1 file' }))
    await screen.findByRole('progressbar', { name: 'Uploading one.png' })
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
    expect(wire.aborted()).toBe(1)
    expect(form().getValues('responsive.images')).toEqual([])
    expect(screen.queryByRole('progressbar')).toBeNull()
  })

  it('files of all kinds with the same content are added once', async () => {
    fakeUploads()
    sizesInNames()
    renderInForm(<DropAll />)
    await choose(png('a 728x90.png', 'same'), png('b 728x90.png', 'same'))
    const shown = await dialog()
    expect(shown.getByText('The same file is in the list already.')).toBeVisible()
    expect(shown.getByRole('status')).toHaveTextContent('1 of 2 files will be added.')
  })

  it('files of all kinds find no room in a place that filled meanwhile, which the list says', async () => {
    const wire = fakeUploads()
    picturesOf(1200, 627)
    const { form } = renderInForm(<DropAll />)
    await choose(png('one.png'))
    await userEvent.click((await dialog()).getByRole('button', { name: 'Add 1 file' }))
    form().setValue('responsive.images', [{ index: 0, file_id: 'other', url: null }])
    await wire.succeed({ file_id: 'f-1' })
    expect(screen.getByRole('alert')).toHaveTextContent('one.png: Every place that this file fits is taken.')
    expect(form().getValues('responsive.images')).toEqual([{ index: 0, file_id: 'other', url: null }])
  })

  it('files of all kinds beyond the bound are left out, which the dialog says', async () => {
    fakeUploads()
    renderInForm(<DropAll />)
    const many = Array.from({ length: 201 }, (_, n) => fileOf(`note ${n}.txt`, 'text/plain'))
    fireEvent.change(screen.getByLabelText('Choose files of all kinds'), { target: { files: many } })
    const shown = await dialog()
    expect(shown.getByText('At most 200 files are added at once. The others were left out.')).toBeVisible()
    expect(shown.getByRole('button', { name: 'Add 0 files' })).toBeDisabled()
  })

  it('files of all kinds of an audio campaign become tracks, as many as have room', async () => {
    fakeUploads()
    renderInForm(<DropAll />, null, false, { tabs: { audio: true } })
    await choose(...Array.from({ length: 6 }, (_, n) => fileOf(`spot ${n}.mp3`, 'audio/mpeg')), png('one.png'))
    const shown = await dialog()
    expect(shown.getByRole('status')).toHaveTextContent('5 of 7 files will be added.')
    expect(shown.getByText('This campaign has only tracks. Use an MP3 file.')).toBeVisible()
    expect(shown.getByText(/Every place that this file fits is taken/)).toBeVisible()
  })
})
