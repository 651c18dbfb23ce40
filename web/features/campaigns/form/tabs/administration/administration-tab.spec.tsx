import { QueryClient } from '@tanstack/react-query'
import { act, fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { AdministrationFields } from './administration-tab.tsx'
import { campaignWith, renderInForm } from '@/test/campaign-form'
import { serve } from '@/test/server'

const MARGIN_SAID = 'Margin should be removed before setting the Fixed CPM.'
const CPM_SAID = 'Fixed CPM should be removed before setting the Margin.'
const pass = (time: number) =>
  act(() => {
    vi.advanceTimersByTime(time)
  })
const margin = () => screen.getByLabelText('Margin')
const fixedCpm = () => screen.getByLabelText('Fixed CPM')

describe('margin and fixed CPM', () => {
  afterEach(() => vi.useRealTimers())

  // covers CAM-RULE-05 CAM-RULE-07
  it('a filled margin disables the fixed CPM and says so for three seconds', () => {
    vi.useFakeTimers()
    renderInForm(<AdministrationFields />)
    expect(fixedCpm()).toBeEnabled()
    fireEvent.change(margin(), { target: { value: '5' } })
    expect(fixedCpm()).toBeDisabled()
    expect(margin()).toBeEnabled()
    expect(screen.getByText(MARGIN_SAID)).toBeInTheDocument()
    pass(2999)
    expect(screen.getByText(MARGIN_SAID)).toBeInTheDocument()
    pass(1)
    expect(screen.queryByText(MARGIN_SAID)).toBeNull()
    expect(fixedCpm()).toBeDisabled()
  })

  // covers CAM-RULE-06 CAM-RULE-07
  it('a filled fixed CPM disables the margin; pressing that says why again, for three seconds', () => {
    vi.useFakeTimers()
    renderInForm(<AdministrationFields />, campaignWith({ fixed_cpm: 2 }))
    expect(margin()).toBeDisabled()
    expect(screen.queryByText(CPM_SAID)).toBeNull()
    fireEvent.pointerDown(margin().closest('[data-slot=field]') ?? margin())
    expect(screen.getByText(CPM_SAID)).toBeInTheDocument()
    pass(3000)
    expect(screen.queryByText(CPM_SAID)).toBeNull()
    fireEvent.change(fixedCpm(), { target: { value: '' } })
    expect(margin()).toBeEnabled()
  })
})

describe('the owner fields', () => {
  // covers CAM-VAL-40
  it('the owner fields take ten test devices: then Add is disabled', async () => {
    renderInForm(<AdministrationFields />, campaignWith({ test_devices: Array.from({ length: 9 }, (_, index) => `d-${index}`) }))
    const add = screen.getByRole('button', { name: 'Add a device' })
    expect(add).toBeEnabled()
    await userEvent.click(add)
    expect(screen.getByLabelText('Test device 10')).toBeInTheDocument()
    expect(add).toBeDisabled()
    await userEvent.click(screen.getByRole('button', { name: 'Remove test device 1' }))
    expect(add).toBeEnabled()
  })

  it('the owner fields take categories by title or key, and never offer a deprecated one', async () => {
    const category = (key: string, title: string, parent: string | null, deprecated = false) => ({
      key,
      value: key,
      title,
      order: 1,
      deprecated,
      parent,
    })
    serve({
      '/v1/dictionary/meta/iab_categories/en_US': () => [
        category('IAB1', 'Arts', null),
        category('IAB1-1', 'Books', 'IAB1'),
        category('IAB2', 'Automotive', null),
        category('IAB9', 'Bygone', null, true),
      ],
    })
    onTestFinished(() => void vi.unstubAllGlobals())
    const client = new QueryClient()
    const { form } = renderInForm(<AdministrationFields />, campaignWith({ campaign_category_keys: ['IAB2'] }), false, { client })
    const box = screen.getByRole('combobox', { name: 'Find a category' })
    await userEvent.type(box, 'iab1-')
    await userEvent.click(await screen.findByRole('option', { name: /^Books.*Arts · IAB1-1/ }))
    await userEvent.clear(box)
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
      'ArtsIAB1',
      'BooksIAB1-1',
      'AutomotiveIAB2',
    ])
    expect(form().getValues('administration.categories')).toEqual(['IAB2', 'IAB1-1'])
    await userEvent.click(screen.getByRole('button', { name: 'Remove Automotive' }))
    expect(within(screen.getByRole('list', { name: 'Chosen categories' })).getAllByRole('listitem')).toHaveLength(1)
    expect(form().getValues('administration.categories')).toEqual(['IAB1-1'])
  })

  // covers CONST-59 CONST-60 CONST-61 CONST-62
  it('the owner fields name the exchanges, and say that none means all', async () => {
    const { form } = renderInForm(<AdministrationFields />)
    for (const name of ['Google AdX', 'Verve Group', 'Taboola', 'Yandex Ad Exchange', '3rd Presence'])
      expect(screen.getByRole('checkbox', { name })).not.toBeChecked()
    expect(screen.getByText(/on all exchanges/)).toBeInTheDocument()
    await userEvent.click(screen.getByRole('checkbox', { name: 'Yandex Ad Exchange' }))
    await userEvent.click(screen.getByRole('checkbox', { name: 'Google AdX' }))
    expect(form().getValues('administration.exchanges')).toEqual(['google', 'yandex'])
    expect(screen.queryByText(/on all exchanges/)).toBeNull()
  })

  // covers CAM-ADM-19
  it('the owner fields show the custom HTML, and take another one', async () => {
    const { form } = renderInForm(<AdministrationFields />, campaignWith({ custom_html: '<b>x</b>' }))
    const html = screen.getByLabelText('Custom HTML')
    expect(html).toHaveValue('<b>x</b>')
    await userEvent.type(html, '<i>')
    expect(form().getValues('administration.customHtml')).toBe('<b>x</b><i>')
  })

  it('the owner fields have twelve slots, each a switch', async () => {
    const { form } = renderInForm(<AdministrationFields />)
    expect(screen.getAllByRole('switch')).toHaveLength(12)
    await userEvent.click(screen.getByRole('switch', { name: 'Slot 12' }))
    expect(form().getValues('administration.slots')).toEqual([...Array.from({ length: 11 }, () => true), false])
  })

  it('the owner fields have the person in charge by name, and keep one who is no longer listed', async () => {
    const staff = [
      { id: 'p-1', name: 'Marek Novak' },
      { id: 'p-2', name: 'Olivia Mbeki' },
    ]
    const { form } = renderInForm(<AdministrationFields staff={staff} />, campaignWith({ account_manager_id: 'gone' }))
    const choice = screen.getByLabelText('Account manager')
    expect(choice).toHaveValue('gone')
    expect(
      within(choice)
        .getAllByRole('option')
        .map((one) => one.textContent),
    ).toEqual(['Not assigned', 'gone', 'Marek Novak', 'Olivia Mbeki'])
    await userEvent.selectOptions(choice, 'Olivia Mbeki')
    expect(form().getValues('administration.accountManager')).toBe('p-2')
    await userEvent.selectOptions(choice, 'Not assigned')
    expect(form().getValues('administration.accountManager')).toBe('')
  })

  it('the owner fields are there to be read only, where they cannot be written', () => {
    renderInForm(<AdministrationFields />, campaignWith({ margin: 5, test_devices: ['d-1'] }), true)
    expect(margin()).toHaveAttribute('readonly')
    expect(screen.getByLabelText('Account manager')).toHaveAttribute('readonly')
    for (const box of [...screen.getAllByRole('switch'), ...screen.getAllByRole('checkbox')]) expect(box).toBeDisabled()
    expect(screen.queryByRole('button', { name: /^(Add|Remove)/ })).toBeNull()
  })

  it('the owner fields are sent as they came when the form was shown and nothing was touched', async () => {
    const campaign = campaignWith({ country: 'AM', margin: 5, t: null, custom_html: '<b>x</b>\n' })
    const { form } = renderInForm(<AdministrationFields />, campaign)
    const submitted = vi.fn()
    await act(async () => await form().handleSubmit(({ administration }) => submitted(administration))())
    expect(submitted).toHaveBeenCalledWith(
      expect.objectContaining({ margin: '5', fixedCpm: '', t: '', customHtml: '<b>x</b>\n' }),
    )
  })
})
