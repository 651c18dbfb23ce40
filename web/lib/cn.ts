import { clsx, type ClassValue } from 'clsx'
import { extendTailwindMerge } from 'tailwind-merge'

// Without its names the merger takes our text sizes for text colours and drops one of the two.
const merge = extendTailwindMerge({ extend: { classGroups: { 'font-size': [{ text: ['title', 'body', 'table', 'meta'] }] } } })

export const cn = (...inputs: ClassValue[]) => merge(clsx(inputs))
