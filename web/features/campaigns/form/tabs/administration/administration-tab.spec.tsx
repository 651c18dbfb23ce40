import { act, fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { AdministrationFields } from './administration-tab.tsx'
import { campaignWith, renderInForm } from '@/test/campaign-form'

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
  it('take ten test devices: then Add is disabled', async () => {
    renderInForm(<AdministrationFields />, campaignWith({ test_devices: Array.from({ length: 9 }, (_, index) => `d-${index}`) }))
    const add = screen.getByRole('button', { name: 'Add a device' })
    expect(add).toBeEnabled()
    await userEvent.click(add)
    expect(screen.getByLabelText('Test device 10')).toBeInTheDocument()
    expect(add).toBeDisabled()
    await userEvent.click(screen.getByRole('button', { name: 'Remove test device 1' }))
    expect(add).toBeEnabled()
  })

  // covers CONST-59 CONST-60 CONST-61 CONST-62
  it('name the exchanges, and say that none means all', async () => {
    const { form } = renderInForm(<AdministrationFields />)
    for (const name of ['Google AdX', 'Verve Group', 'Taboola', 'Yandex Ad Exchange', '3rd Presence'])
      expect(screen.getByRole('checkbox', { name })).not.toBeChecked()
    expect(screen.getByText(/on all exchanges/)).toBeInTheDocument()
    await userEvent.click(screen.getByRole('checkbox', { name: 'Yandex Ad Exchange' }))
    await userEvent.click(screen.getByRole('checkbox', { name: 'Google AdX' }))
    expect(form().getValues('administration.exchanges')).toEqual(['google', 'yandex'])
    expect(screen.queryByText(/on all exchanges/)).toBeNull()
  })

  it('have twelve slots, each a switch', async () => {
    const { form } = renderInForm(<AdministrationFields />)
    expect(screen.getAllByRole('switch')).toHaveLength(12)
    await userEvent.click(screen.getByRole('switch', { name: 'Slot 12' }))
    expect(form().getValues('administration.slots')).toEqual([...Array.from({ length: 11 }, () => true), false])
  })

  it('are there to be read only, where they cannot be written', () => {
    renderInForm(<AdministrationFields />, campaignWith({ margin: 5, test_devices: ['d-1'] }), true)
    expect(margin()).toHaveAttribute('readonly')
    expect(screen.getByLabelText('Account manager')).toHaveAttribute('readonly')
    for (const box of [...screen.getAllByRole('switch'), ...screen.getAllByRole('checkbox')]) expect(box).toBeDisabled()
    expect(screen.queryByRole('button', { name: /^(Add|Remove)/ })).toBeNull()
  })

  it('are sent as they came when the form was shown and nothing was touched', async () => {
    const campaign = campaignWith({ country: 'AM', margin: 5, t: null, custom_html: '<b>x</b>\n' })
    const { form } = renderInForm(<AdministrationFields />, campaign)
    const submitted = vi.fn()
    await act(async () => await form().handleSubmit(({ administration }) => submitted(administration))())
    expect(submitted).toHaveBeenCalledWith(
      expect.objectContaining({ margin: '5', fixedCpm: '', t: '', customHtml: '<b>x</b>\n' }),
    )
  })
})
