// Before anything is drawn, so that a dark page does not begin with a light flash.
const chosen = localStorage.getItem('theme')
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
