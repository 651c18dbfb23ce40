/** A phone number: an optional plus and 7 to 15 digits; spaces and dashes do not count (decisions G-187). */
export const isPhone = (text: string): boolean => /^\+?\d{7,15}$/.test(text.replaceAll(/[\s-]/g, ''))
