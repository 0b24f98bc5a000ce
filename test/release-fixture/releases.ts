/** Add a release here together with its fixture; none is ever taken away. */
export const RELEASES = ['0e72dbc', '869bd1a', 'd0dbda8'];
