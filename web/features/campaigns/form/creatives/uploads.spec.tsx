import { act, fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import { fakeUploads, fileOf, filmsOf, picturesOf } from '@/test/fake-uploads'
import { renderInForm } from '@/test/campaign-form'
import { FormFooter } from '../form-footer.tsx'
import ResponsiveTab from '../tabs/responsive/responsive-tab.tsx'
import VideoTab from '../tabs/video/video-tab.tsx'

const slot = (name: string) => screen.getByRole('group', { name })
const input = (name: string) => within(slot(name)).getByLabelText<HTMLInputElement>(`Add ${name}`)
const picture = fileOf('wide.png', 'image/png')
const choose = (name: string, file: File) => userEvent.upload(input(name), file, { applyAccept: false })

describe('an upload', () => {
  const start = async () => {
    const wire = fakeUploads()
    picturesOf(1200, 627)
    const shown = renderInForm(<ResponsiveTab />)
    await choose('Image', picture)
    return { wire, ...shown, bar: screen.getByRole('progressbar', { name: 'Uploading wide.png' }) }
  }

  // covers CAM-RULE-08
  it('shows how far it has come, in place of choosing another file', async () => {
    const { wire, bar } = await start()
    await wire.progress(3, 4)
    expect(bar).toHaveAttribute('aria-valuenow', '75')
    expect(within(slot('Image')).queryByLabelText('Add Image')).toBeNull()
    expect(wire.sent()).toEqual([expect.stringMatching(/^POST .*\/v1\/file\/upload3$/)])
  })

  // covers CAM-RULE-09
  it('an upload is over once the file is there, which is then in the form', async () => {
    const { wire, form } = await start()
    await wire.succeed({ file_id: 'f-7', file_url: '/f-7' })
    expect(screen.queryByRole('progressbar')).toBeNull()
    expect(form().getValues('responsive.images')).toEqual([{ index: 0, file_id: 'f-7', url: '/f-7' }])
  })

  // covers CAM-RULE-10 CAM-ERR-14 CAM-ERR-16
  it('an upload is over when the server refuses it, in the words of the server, and another can be chosen', async () => {
    const { wire, form } = await start()
    await wire.refuse(8, 'This picture weighs too much for us')
    expect(screen.queryByRole('progressbar')).toBeNull()
    expect(within(slot('Image')).getByRole('alert')).toHaveTextContent('wide.png: This picture weighs too much for us')
    expect(input('Image')).toBeEnabled()
    expect(form().getValues('responsive.images')).toEqual([])
  })

  it('tells the first thing the server found wrong with it', async () => {
    const { wire } = await start()
    const fault = { path: 'file', code: 2, message: 'x', key: 'imageSize', params: { width: 1200, height: 627 } }
    await wire.refuse(2, 'Invalid argument provided', [fault])
    expect(within(slot('Image')).getByRole('alert')).toHaveTextContent('Please upload image with 1200x627 dimensions')
  })

  // covers CAM-ERR-10
  it('an upload of an image that fails says so', async () => {
    const { wire } = await start()
    await wire.lose()
    expect(within(slot('Image')).getByRole('alert')).toHaveTextContent('There was an error when uploading image.')
  })

  // covers CAM-ERR-11
  it('an upload of a video that fails says so', async () => {
    const wire = fakeUploads()
    filmsOf(640, 360)
    renderInForm(<VideoTab />)
    await choose('Video', fileOf('film.mp4', 'video/mp4'))
    await wire.lose()
    expect(within(slot('Video')).getByRole('alert')).toHaveTextContent('There was an error when uploading video.')
  })

  it('an upload can be stopped, which is no failure, and leaves the focus in its slot', async () => {
    const { wire, form } = await start()
    await wire.progress(1, 4)
    await userEvent.click(screen.getByRole('button', { name: 'Stop uploading wide.png' }))
    expect(wire.aborted()).toBe(1)
    expect(screen.queryByRole('progressbar')).toBeNull()
    expect(within(slot('Image')).getByRole('alert')).toBeEmptyDOMElement()
    expect(slot('Image')).toHaveFocus()
    expect(form().getValues('responsive.images')).toEqual([])
  })

  it('an upload is forgotten as a failure once another file is sent', async () => {
    const { wire } = await start()
    await wire.lose()
    await choose('Image', picture)
    expect(within(slot('Image')).getByRole('alert')).toBeEmptyDOMElement()
  })

  it('goes on while another tab is shown, and can be watched again', async () => {
    const wire = fakeUploads()
    picturesOf(1200, 627)
    let show = (_: boolean) => {}
    const Tabs = () => {
      const [shown, setShown] = useState(true)
      show = setShown
      return shown ? <ResponsiveTab /> : null
    }
    const { form } = renderInForm(<Tabs />)
    await choose('Image', picture)
    await wire.progress(1, 2)
    act(() => show(false))
    act(() => show(true))
    expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '50')
    act(() => show(false))
    await wire.succeed({ file_id: 'f-8', file_url: '/f-8' })
    expect(form().getValues('responsive.images')).toHaveLength(1)
  })

  it('an upload of several files where one is needed is refused, and says so', () => {
    const wire = fakeUploads()
    renderInForm(<ResponsiveTab />)
    fireEvent.drop(input('Image'), { dataTransfer: { files: [picture, picture] } })
    expect(within(slot('Image')).getByText('Only one file is needed here, not 2. Drop one.')).toBeVisible()
    expect(wire.sent()).toEqual([])
  })

  it('an upload of a file that cannot be used is not even begun', async () => {
    const wire = fakeUploads()
    picturesOf(640, 480)
    renderInForm(<ResponsiveTab />)
    await choose('Image', picture)
    expect(within(slot('Image')).getByRole('alert')).toHaveTextContent('Please upload image with 1200x627 dimensions')
    await choose('Logo', picture)
    expect(within(slot('Logo')).getByRole('alert')).toHaveTextContent('The logo should be 1:1 (square)')
    await choose('Logo', fileOf('big.png', 'image/png', 500_000))
    expect(within(slot('Logo')).getByRole('alert')).toHaveTextContent('Original image is too big, must be under 500000 bytes')
    await choose('Logo', fileOf('notes.txt', 'text/plain'))
    expect(within(slot('Logo')).getByRole('alert')).toHaveTextContent(
      'notes.txt: The file is not a valid image. Please upload JPG, PNG, GIF or WebP',
    )
    expect(wire.sent()).toEqual([])
  })
})

describe('saving while files are on their way', () => {
  const footer = (uploading: number) => {
    const idle = () => {}
    const { form } = renderInForm(
      <FormFooter
        last={false}
        pending={null}
        waiting={false}
        onStopWaiting={idle}
        notice={null}
        uploading={uploading}
        onCancel={idle}
        onSave={idle}
        onSaveNext={idle}
        onPublish={idle}
      />,
    )
    act(() => form().setValue('name', 'Winter', { shouldDirty: true }))
  }

  it('saving and publishing wait, and it says why', () => {
    footer(2)
    for (const name of ['Save', 'Save & Next', 'Publish']) expect(screen.getByRole('button', { name })).toBeDisabled()
    expect(screen.getByRole('status')).toHaveTextContent('2 files are being uploaded. You can save when they are there.')
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeEnabled()
  })

  it('the footer can be used again as soon as no file is on its way', () => {
    footer(0)
    for (const name of ['Save', 'Save & Next', 'Publish']) expect(screen.getByRole('button', { name })).toBeEnabled()
    expect(screen.getByRole('status')).toHaveTextContent('Unsaved changes')
  })
})
