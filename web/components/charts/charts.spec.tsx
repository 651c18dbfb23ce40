import { fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { BarChart } from './bar-chart.tsx'
import { chartColour, countSeries, formatTick, type Series } from './series.ts'
import { Sparkline } from './sparkline.tsx'
import { TimeChart } from './time-chart.tsx'

const DAYS = ['2026-03-01', '2026-03-02', '2026-03-03']
const clicks = countSeries(
  'clicks',
  'Clicks',
  DAYS.map((day, index) => ({ day, value: (index + 1) * 1000 })),
)
const spend: Series = {
  id: 'spend',
  label: 'Spend',
  points: DAYS.map((day, index) => ({ day, value: index })),
  format: (value) => `$${value}`,
}
const tooltip = () => document.querySelector('[data-slot=chart-tooltip]')

describe('a chart over time', () => {
  it('gives all figures as a table to screen readers', () => {
    render(<TimeChart title="Figures by day" dayLabel="Day" series={[clicks, spend]} />)
    const table = screen.getByRole('table', { name: 'Figures by day' })
    expect(
      within(table)
        .getAllByRole('row')
        .map(({ textContent }) => textContent),
    ).toEqual(['DayClicksSpend', 'Mar 01, 20261,000$0', 'Mar 02, 20262,000$1', 'Mar 03, 20263,000$2'])
  })

  it('refers to a visible table instead of adding one', () => {
    render(<TimeChart title="Clicks" dayLabel="Day" series={[clicks]} tableId="figures" />)
    expect(screen.queryByRole('table')).toBeNull()
    expect(screen.getByRole('figure')).toHaveAttribute('aria-details', 'figures')
  })

  it('has a description for screen readers', () => {
    render(
      <TimeChart
        title="Clicks"
        description="The table below shows the same."
        dayLabel="Day"
        series={[clicks]}
        tableId="figures"
      />,
    )
    expect(screen.getByRole('slider', { name: 'Clicks' })).toHaveAccessibleDescription('The table below shows the same.')
  })

  it('chooses a day by the arrow keys and reads its values out', async () => {
    render(<TimeChart title="Figures" dayLabel="Day" series={[clicks, spend]} />)
    const slider = screen.getByRole('slider', { name: 'Figures' })
    expect(tooltip()).toBeNull()
    slider.focus()
    await userEvent.keyboard('{ArrowLeft}')
    expect(slider).toHaveAttribute('aria-valuetext', 'Mar 02, 2026: Clicks 2,000, Spend $1')
    expect(tooltip()).toHaveTextContent('Mar 02, 2026Clicks2,000Spend$1')
    await userEvent.keyboard('{Home}{ArrowLeft}')
    expect(slider).toHaveAttribute('aria-valuenow', '0')
    await userEvent.keyboard('{End}{ArrowRight}')
    expect(slider).toHaveAttribute('aria-valuenow', '2')
    await userEvent.tab()
    expect(tooltip()).toBeNull()
  })

  it('chooses the day under the pointer', () => {
    render(<TimeChart title="Figures" dayLabel="Day" series={[clicks]} />)
    const slider = screen.getByRole('slider')
    fireEvent.pointerMove(slider, { clientX: 52 })
    expect(tooltip()).toHaveTextContent('Mar 01, 2026')
    fireEvent.pointerMove(slider, { clientX: 640 })
    expect(tooltip()).toHaveTextContent('Mar 03, 2026')
    fireEvent.pointerLeave(slider)
    expect(tooltip()).toBeNull()
  })

  it('draws a line for each series in the colours of the theme, and names them', () => {
    const { container } = render(<TimeChart title="Figures" dayLabel="Day" series={[clicks, spend]} />)
    const lines = [...container.querySelectorAll('[data-series] path')].map((path) => path.getAttribute('stroke'))
    expect(lines).toEqual(['var(--chart-1)', 'var(--chart-2)'])
    expect(container.querySelector('figcaption')).toHaveTextContent('ClicksSpend')
  })

  it('starts its axis at zero and draws one day as a dot', () => {
    const { container } = render(
      <TimeChart title="Figures" dayLabel="Day" series={[{ ...clicks, points: clicks.points.slice(0, 1) }]} />,
    )
    expect(screen.getByText('0')).toBeVisible()
    expect(container.querySelectorAll('circle')).toHaveLength(1)
  })

  it('draws nothing without days', () => {
    const { container } = render(<TimeChart title="Figures" dayLabel="Day" series={[{ ...clicks, points: [] }]} />)
    expect(container).toBeEmptyDOMElement()
  })
})

describe('a sparkline', () => {
  it('is a picture with a label, from the first value to the last', () => {
    render(<Sparkline label="Clicks are rising" values={[0, 5, 10]} width={103} height={23} />)
    const path = screen.getByRole('img', { name: 'Clicks are rising' }).querySelector('path')?.getAttribute('d')
    expect(path).toBe('M1.5,21.5L51.5,11.5L101.5,1.5')
  })
})

describe('a bar chart', () => {
  it('writes label and value of each bar, the longest over the whole width', () => {
    const bars = [
      { id: 'a', label: 'Apple', value: 20 },
      { id: 'b', label: 'Banana', value: 5 },
    ]
    const { container } = render(<BarChart title="Fruits" bars={bars} format={(value) => `${value} kg`} />)
    const list = within(screen.getByRole('list', { name: 'Fruits' }))
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['Apple20 kg', 'Banana5 kg'])
    const widths = [...container.querySelectorAll<HTMLElement>('[data-slot=bar]')].map(({ style }) => style.width)
    expect(widths).toEqual(['100%', '25%'])
  })
})

describe('the values of a chart', () => {
  it.each([
    [0, 'en', '0'],
    [0.25, 'en', '0.25'],
    [1500, 'en', '1.5K'],
    [2_000_000, 'en', '2M'],
  ])('writes the tick %d in %s as %s', (value, language, text) => {
    expect(formatTick(value, language)).toBe(text)
  })

  it('starts over with the first colour after the last', () => {
    expect(chartColour(5)).toBe(chartColour(0))
  })
})
