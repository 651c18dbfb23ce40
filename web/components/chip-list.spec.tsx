import { act, fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ChipList } from './chip-list.tsx'
import { TIP_DELAY } from './hover-tip.tsx'

function Chips({ names, disabled = false }: { readonly names: readonly string[]; readonly disabled?: boolean }) {
  const [left, setLeft] = useState(names)
  const remove = (id: string) => setLeft(left.filter((name) => name !== id))
  return (
    <>
      <input aria-label="Search" />
      <ChipList
        label="Chosen"
        chips={left.map((name) => ({ id: name, label: name }))}
        disabled={disabled}
        onRemove={remove}
        onEmpty={() => screen.getByLabelText('Search').focus()}
      />
    </>
  )
}
const texts = () => screen.getAllByRole('listitem').map((item) => item.textContent)
const remove = (name: string) => screen.getByRole('button', { name: `Remove ${name}` })

describe('chips', () => {
  // covers CAM-PLC-09
  it('chips are three and a count where there are more than four', () => {
    render(<Chips names={['a', 'b', 'c', 'd', 'e']} />)
    expect(texts()).toEqual(['a', 'b', 'c', '+2'])
    expect(screen.getByRole('button', { name: 'Show 2 more' })).toBeVisible()
  })

  // covers CAM-PLC-10
  it('chips are all there up to four', () => {
    render(<Chips names={['a', 'b', 'c', 'd']} />)
    expect(texts()).toEqual(['a', 'b', 'c', 'd'])
  })

  it('chips unfold and fold, and the focus stays on what did it', async () => {
    render(<Chips names={['a', 'b', 'c', 'd', 'e']} />)
    screen.getByRole('button', { name: 'Show 2 more' }).focus()
    await userEvent.keyboard('{Enter}')
    expect(texts()).toEqual(['a', 'b', 'c', 'd', 'e', 'Show fewer'])
    const fewer = screen.getByRole('button', { name: 'Show fewer' })
    expect(fewer).toHaveFocus()
    expect(fewer).toHaveAttribute('aria-expanded', 'true')
    await userEvent.keyboard('{Enter}')
    expect(texts()).toEqual(['a', 'b', 'c', '+2'])
    expect(screen.getByRole('button', { name: 'Show 2 more' })).toHaveFocus()
  })

  it('chips give the focus to their neighbour when they go, and the last one where more can be chosen', async () => {
    render(<Chips names={['a', 'b', 'c', 'd', 'e']} />)
    await userEvent.click(remove('c'))
    expect(texts()).toEqual(['a', 'b', 'd', 'e'])
    expect(remove('d')).toHaveFocus()
    await userEvent.click(remove('e'))
    expect(remove('d')).toHaveFocus()
    await userEvent.keyboard('{Enter}{Enter}{Enter}')
    expect(screen.queryByRole('list')).toBeNull()
    expect(screen.getByLabelText('Search')).toHaveFocus()
  })

  it('chips cannot be taken off by readers', () => {
    render(<Chips names={['a']} disabled />)
    expect(within(screen.getByRole('list', { name: 'Chosen' })).queryByRole('button')).toBeNull()
  })
})

describe('the whole of a text that was cut off', () => {
  afterEach(() => vi.useRealTimers())

  // covers CAM-PLC-11
  it('shows after the pointer has rested for 600 ms', async () => {
    vi.useFakeTimers()
    render(<Chips names={['a', 'b', 'c', 'd', 'e']} />)
    fireEvent.pointerMove(screen.getByRole('button', { name: 'Show 2 more' }), { pointerType: 'mouse' })
    await act(() => vi.advanceTimersByTimeAsync(TIP_DELAY - 1))
    expect(screen.queryByRole('tooltip')).toBeNull()
    await act(() => vi.advanceTimersByTimeAsync(1))
    expect(screen.getByRole('tooltip')).toHaveTextContent('d, e')
    expect(TIP_DELAY).toBe(600)
  })
})
