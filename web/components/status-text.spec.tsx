import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { StatusText } from './status-text.tsx'

const GREEN = 'bg-good-dot'
const ORANGE = 'bg-warn-dot'
const RED = 'bg-bad-dot'
const GREY = 'bg-idle-dot'

describe('a status', () => {
  // covers CAM-STATUS-30..35
  it.each([
    [3, 'Running', GREEN],
    [31, 'Running, daily budget reached', GREEN],
    [1, 'In Moderation', ORANGE],
    [6, 'Waiting for ad exchange', ORANGE],
    [2, 'Rejected', RED],
    [0, 'Draft', GREY],
    [5, 'Archived', GREY],
    [40, 'Waiting to start', GREY],
    [41, 'Paused', GREY],
    [42, 'Finished, budget spent', GREY],
    [43, 'Finished, overdue', GREY],
    [44, 'Paused due to account balance spent', GREY],
    [45, 'Paused pending balance validation', GREY],
  ])('%i is "%s" beside its colour', (statusKey, label, colour) => {
    const { container } = render(<StatusText statusKey={statusKey} />)
    expect(screen.getByText(label)).toBeVisible()
    expect(container.querySelector('[data-slot=status-dot]')).toHaveClass(colour)
  })
})
