import { createContext } from 'react'

/** The start of the frame's title bar, where pages put their title; null outside the frame. */
export const TitleBarContext = createContext<HTMLElement | null>(null)
