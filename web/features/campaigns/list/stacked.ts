const figures = (column: string) => `${column} @max-[52rem]:row-start-2 @max-[52rem]:self-start`

/**
 * Classes that lay a row of the table out in two lines where its container is narrow: the name above the figures, the check box and the
 * buttons beside both. The column heads stand in the same grid, above their figures.
 */
export const STACKED = {
  table: '@max-[52rem]:block @max-[52rem]:[&>*]:block',
  row: '@max-[52rem]:grid @max-[52rem]:grid-cols-[2.75rem_repeat(4,minmax(0,1fr))_5.5rem] @max-[52rem]:items-center @max-[52rem]:py-1.5',
  box: '@max-[52rem]:col-start-1 @max-[52rem]:row-span-2 @max-[52rem]:row-start-1',
  /** Name, impressions, clicks, conversions, spend. */
  columns: [
    '@max-[52rem]:col-span-4 @max-[52rem]:col-start-2 @max-[52rem]:row-start-1 @max-[52rem]:py-1',
    figures('@max-[52rem]:col-start-2'),
    figures('@max-[52rem]:col-start-3'),
    figures('@max-[52rem]:col-start-4'),
    figures('@max-[52rem]:col-start-5'),
  ],
  menu: '@max-[52rem]:col-start-6 @max-[52rem]:row-span-2 @max-[52rem]:row-start-1',
} as const
