// Before the first paint: the theme chosen by hand, so that the page does not flash in the other one.
try {
  const theme = localStorage.getItem('alis:theme')
  if (theme) document.documentElement.dataset.theme = theme
} catch {
  // Without storage the system's theme is used.
}
