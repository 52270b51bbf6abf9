//! Figures of the plane: where a point lies, whether segments meet, how far figures are apart.

use codec::CompactSort;
use value::geometry::{Point, Rings, Shape};

use crate::error::Result;

/// Accounts for so many steps, in functions that take as long as the product of the lengths of their figures; fails where the statement is
/// to end.
pub type Work<'a> = &'a dyn Fn(usize) -> Result<()>;

/// Where a point lies of an area.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Inside,
    Boundary,
    Outside,
}

pub type Segment = (Point, Point);

/// A shape in its parts: single points, segments of lines, areas.
#[derive(Default)]
pub struct Figure {
    pub points: Vec<Point>,
    pub lines: Vec<Vec<Point>>,
    pub areas: Vec<Rings>,
}

impl Figure {
    pub fn of(shape: &Shape) -> Figure {
        let mut figure = Figure::default();
        figure.add(shape);
        figure
    }

    fn add(&mut self, shape: &Shape) {
        match shape {
            Shape::Point(point) => self.points.push(*point),
            Shape::MultiPoint(points) => self.points.extend(points),
            Shape::LineString(line) => self.lines.push(line.clone()),
            Shape::MultiLineString(lines) => self.lines.extend(lines.iter().cloned()),
            Shape::Polygon(rings) => self.areas.push(rings.clone()),
            Shape::MultiPolygon(areas) => self.areas.extend(areas.iter().cloned()),
            Shape::GeometryCollection(shapes) => shapes.iter().for_each(|shape| self.add(shape)),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.points.is_empty() && self.lines.is_empty() && self.areas.is_empty()
    }

    /// 0, 1 or 2; `None` for nothing.
    pub fn dimension(&self) -> Option<u8> {
        match (self.areas.is_empty(), self.lines.is_empty(), self.points.is_empty()) {
            (false, ..) => Some(2),
            (_, false, _) => Some(1),
            (.., false) => Some(0),
            _ => None,
        }
    }

    /// Segments of lines and of the edges of areas.
    pub fn segments(&self) -> Vec<Segment> {
        let lines = self.lines.iter().chain(self.areas.iter().flatten());
        lines.flat_map(|line| line.windows(2).map(|pair| (pair[0], pair[1]))).collect()
    }

    pub fn vertices(&self) -> Vec<Point> {
        let lines = self.lines.iter().chain(self.areas.iter().flatten()).flatten();
        self.points.iter().chain(lines).copied().collect()
    }

    /// Where a point lies: the ends of open lines are their boundary, points have none.
    pub fn locate(&self, point: Point) -> Place {
        let mut place = Place::Outside;
        for area in &self.areas {
            match locate(point, area) {
                Place::Inside => return Place::Inside,
                Place::Boundary => place = Place::Boundary,
                Place::Outside => {}
            }
        }
        for line in &self.lines {
            if line.windows(2).any(|pair| is_on(point, (pair[0], pair[1]))) {
                let open = line.first() != line.last();
                if !open || (line.first() != Some(&point) && line.last() != Some(&point)) {
                    return Place::Inside;
                }
                place = Place::Boundary;
            }
        }
        if self.points.contains(&point) { Place::Inside } else { place }
    }
}

/// Twice the area of the triangle, positive when it turns left.
fn turn(a: Point, b: Point, c: Point) -> f64 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

pub fn is_on(point: Point, (a, b): Segment) -> bool {
    let between = |p: f64, q: f64, r: f64| p.min(q) <= r && r <= p.max(q);
    turn(a, b, point) == 0.0 && between(a.x, b.x, point.x) && between(a.y, b.y, point.y)
}

/// Where a point lies of an area with holes, by the crossings of a ray to the right.
pub fn locate(point: Point, rings: &Rings) -> Place {
    let mut inside = false;
    for ring in rings {
        for pair in ring.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            if is_on(point, (a, b)) {
                return Place::Boundary;
            }
            if (a.y > point.y) != (b.y > point.y) {
                let crossing = a.x + (point.y - a.y) * (b.x - a.x) / (b.y - a.y);
                inside ^= point.x < crossing;
            }
        }
    }
    if inside { Place::Inside } else { Place::Outside }
}

pub fn segments_meet((a, b): Segment, (c, d): Segment) -> bool {
    let (abc, abd, cda, cdb) = (turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b));
    if (abc > 0.0) != (abd > 0.0) && (cda > 0.0) != (cdb > 0.0) && abc != 0.0 && abd != 0.0 && cda != 0.0 && cdb != 0.0
    {
        return true;
    }
    is_on(c, (a, b)) || is_on(d, (a, b)) || is_on(a, (c, d)) || is_on(b, (c, d))
}

pub fn distance(a: Point, b: Point) -> f64 {
    (a.x - b.x).hypot(a.y - b.y)
}

fn distance_to(point: Point, (a, b): Segment) -> f64 {
    let length = (b.x - a.x).powi(2) + (b.y - a.y).powi(2);
    if length == 0.0 {
        return distance(point, a);
    }
    let along = ((point.x - a.x) * (b.x - a.x) + (point.y - a.y) * (b.y - a.y)) / length;
    let along = along.clamp(0.0, 1.0);
    distance(point, Point { x: a.x + along * (b.x - a.x), y: a.y + along * (b.y - a.y) })
}

pub fn meet(left: &Figure, right: &Figure, work: Work<'_>) -> Result<bool> {
    let (left_segments, right_segments) = (left.segments(), right.segments());
    for (figure, segments, others) in [(left, &left_segments, right), (right, &right_segments, left)] {
        for point in others.vertices() {
            work(segments.len() + figure.points.len())?;
            if figure.locate(point) != Place::Outside {
                return Ok(true);
            }
        }
    }
    for segment in left_segments {
        work(right_segments.len())?;
        if right_segments.iter().any(|other| segments_meet(segment, *other)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The least distance; `None` when one is empty.
pub fn distance_between(left: &Figure, right: &Figure, work: Work<'_>) -> Result<Option<f64>> {
    if left.is_empty() || right.is_empty() {
        return Ok(None);
    }
    if meet(left, right, work)? {
        return Ok(Some(0.0));
    }
    let (left_points, right_points) = (left.vertices(), right.vertices());
    let mut nearest = f64::INFINITY;
    for (points, others, segments) in
        [(&left_points, &right_points, right.segments()), (&right_points, &left_points, left.segments())]
    {
        for point in points {
            work(others.len() + segments.len())?;
            nearest = others.iter().map(|other| distance(*point, *other)).fold(nearest, f64::min);
            nearest = segments.iter().map(|segment| distance_to(*point, *segment)).fold(nearest, f64::min);
        }
    }
    Ok(Some(nearest))
}

/// The places on a segment, 0 to 1 and ascending, where it meets others, its ends among them.
fn cuts((a, b): Segment, others: &[Segment]) -> Vec<f64> {
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let length = dx * dx + dy * dy;
    let mut cuts = vec![0.0, 1.0];
    if length == 0.0 {
        return cuts;
    }
    for (c, d) in others {
        let cross = dx * (d.y - c.y) - dy * (d.x - c.x);
        if cross != 0.0 {
            cuts.push(((c.x - a.x) * (d.y - c.y) - (c.y - a.y) * (d.x - c.x)) / cross);
        }
        for end in [c, d] {
            cuts.push(((end.x - a.x) * dx + (end.y - a.y) * dy) / length);
        }
    }
    cuts.retain(|cut| (0.0..=1.0).contains(cut));
    cuts.compact_sort_by(f64::total_cmp);
    cuts
}

/// What it costs to cut a segment by one other and to sort where that is.
const CUT_WORK: usize = 32;

/// Whether all of `inner` lies in `outer`, and not only on its boundary.
pub fn is_within(inner: &Figure, outer: &Figure, work: Work<'_>) -> Result<bool> {
    if inner.is_empty() || outer.is_empty() || inner.dimension() > outer.dimension() {
        return Ok(false);
    }
    let edges = outer.segments();
    let mut touches_inside = false;
    let mut probe = |point: Point| {
        let place = outer.locate(point);
        touches_inside |= place == Place::Inside;
        place != Place::Outside
    };
    for point in &inner.points {
        work(edges.len() + outer.points.len())?;
        if !probe(*point) {
            return Ok(false);
        }
    }
    for segment in inner.segments() {
        let (a, b) = segment;
        work(CUT_WORK * edges.len())?;
        for pair in cuts(segment, &edges).windows(2) {
            // Rounding would put a middle that lies on an edge beside it: ends are probed, middles only of real pieces.
            if pair[1] - pair[0] < 1e-12 {
                continue;
            }
            work(edges.len())?;
            let at = f64::midpoint(pair[0], pair[1]);
            let middle = Point { x: a.x + at * (b.x - a.x), y: a.y + at * (b.y - a.y) };
            let on_edge =
                edges.iter().any(|edge| distance_to(middle, *edge) < 1e-12 * (1.0 + middle.x.abs() + middle.y.abs()));
            if !on_edge && !probe(middle) {
                return Ok(false);
            }
        }
    }
    if inner.dimension() == Some(2) {
        // A hole of the outer area may not lie inside the inner one.
        let holes = outer.areas.iter().flat_map(|rings| rings.iter().skip(1)).flatten();
        for point in holes {
            work(inner.areas.iter().flatten().map(Vec::len).sum())?;
            if inner.areas.iter().any(|area| locate(*point, area) == Place::Inside) {
                return Ok(false);
            }
        }
        return Ok(true);
    }
    Ok(touches_inside)
}

/// The area of a ring, positive when it runs against the clock.
pub fn signed_area(ring: &[Point]) -> f64 {
    ring.windows(2).map(|pair| pair[0].x * pair[1].y - pair[1].x * pair[0].y).sum::<f64>() / 2.0
}

/// The hull's corners against the clock, the first not repeated.
pub fn convex_hull(mut points: Vec<Point>) -> Vec<Point> {
    points.compact_sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let half = |points: &mut dyn Iterator<Item = Point>| {
        let mut hull: Vec<Point> = Vec::new();
        for point in points {
            while let [.., a, b] = hull[..]
                && turn(a, b, point) <= 0.0
            {
                hull.pop();
            }
            hull.push(point);
        }
        hull.pop();
        hull
    };
    let mut hull = half(&mut points.iter().copied());
    hull.extend(half(&mut points.iter().rev().copied()));
    hull
}

/// Whether a line meets itself nowhere but at its two ends.
pub fn is_simple_line(line: &[Point], work: Work<'_>) -> Result<bool> {
    let segments: Vec<Segment> = line.windows(2).map(|pair| (pair[0], pair[1])).filter(|(a, b)| a != b).collect();
    let closed = line.len() > 2 && line.first() == line.last();
    for (i, first) in segments.iter().enumerate() {
        work(segments.len() - i)?;
        for (j, second) in segments.iter().enumerate().skip(i + 1) {
            let neighbours = j == i + 1 || (closed && i == 0 && j + 1 == segments.len());
            if neighbours {
                // Neighbours share one point; more of them is a way back.
                let (shared, other) = if j == i + 1 { (first.1, second.1) } else { (first.0, second.0) };
                let far = if j == i + 1 { first.0 } else { first.1 };
                if (is_on(other, *first) && other != shared && !(segments.len() == 2 && closed))
                    || (is_on(far, *second) && far != shared)
                {
                    return Ok(false);
                }
            } else if segments_meet(*first, *second) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Whether all lines are simple.
pub fn are_simple<'a>(lines: impl IntoIterator<Item = &'a Vec<Point>>, work: Work<'_>) -> Result<bool> {
    for line in lines {
        if !is_simple_line(line, work)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether rings are closed, simple and have an area.
pub fn is_valid(shape: &Shape, work: Work<'_>) -> Result<bool> {
    let is_ring = |ring: &Vec<Point>| ring.len() >= 4 && ring.first() == ring.last() && signed_area(ring) != 0.0;
    Ok(match shape {
        Shape::Polygon(rings) => rings.iter().all(is_ring) && are_simple(rings, work)?,
        Shape::MultiPolygon(areas) => areas.iter().flatten().all(is_ring) && are_simple(areas.iter().flatten(), work)?,
        Shape::LineString(line) => line.iter().any(|point| Some(point) != line.first()),
        Shape::MultiLineString(lines) => lines.iter().all(|line| line.iter().any(|point| Some(point) != line.first())),
        Shape::GeometryCollection(shapes) => {
            for shape in shapes {
                if !is_valid(shape, work)? {
                    return Ok(false);
                }
            }
            true
        }
        Shape::Point(_) | Shape::MultiPoint(_) => true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FREE: fn(usize) -> Result<()> = |_| Ok(());

    fn figure(text: &str) -> Figure {
        Figure::of(&Shape::from_wkt(text).expect("well-known text"))
    }

    #[test]
    fn figures_lie_in_each_other() {
        let square = "POLYGON((0 0,0 4,4 4,4 0,0 0))";
        let ring = "POLYGON((0 0,0 4,4 4,4 0,0 0),(1 1,1 2,2 2,2 1,1 1))";
        for (inner, outer, within, meets) in [
            ("POINT(1 1)", square, true, true),
            ("POINT(0 1)", square, false, true),
            ("POINT(5 5)", square, false, false),
            ("POINT(1.5 1.5)", ring, false, false),
            ("LINESTRING(1 1,3 3)", square, true, true),
            ("LINESTRING(1 1,5 5)", square, false, true),
            ("LINESTRING(0 0,0 4)", square, false, true),
            ("POLYGON((1 1,1 2,2 2,2 1,1 1))", square, true, true),
            (square, square, true, true),
            ("POLYGON((0.5 0.5,0.5 3,3 3,3 0.5,0.5 0.5))", ring, false, true),
            ("LINESTRING(0 0,2 2)", "LINESTRING(0 2,2 0)", false, true),
            ("POINT(1 1)", "LINESTRING(0 0,2 2)", true, true),
            ("POINT(0 0)", "LINESTRING(0 0,2 2)", false, true),
        ] {
            assert_eq!(is_within(&figure(inner), &figure(outer), &FREE).ok(), Some(within), "{inner} in {outer}");
            assert_eq!(meet(&figure(inner), &figure(outer), &FREE).ok(), Some(meets), "{inner} meets {outer}");
        }
        assert_eq!(distance_between(&figure("POINT(7 8)"), &figure(square), &FREE).ok(), Some(Some(5.0)));
    }

    #[test]
    fn lines_that_cross_themselves_are_not_simple() {
        let simple = |text: &str| is_simple_line(&figure(text).lines[0], &FREE).is_ok_and(|simple| simple);
        assert!(simple("LINESTRING(0 0,1 1,2 0)"));
        assert!(simple("LINESTRING(0 0,1 1,1 0,0 0)"));
        assert!(!simple("LINESTRING(0 0,2 2,2 0,0 2)"));
        assert!(!simple("LINESTRING(0 0,2 0,1 0)"));
    }

    #[test]
    fn hulls_hold_all_points() {
        let hull = convex_hull(figure("MULTIPOINT((0 0),(4 0),(4 4),(0 4),(2 2),(2 0))").points);
        assert_eq!(hull.len(), 4);
        assert_eq!(signed_area(&[hull[0], hull[1], hull[2], hull[3], hull[0]]), 16.0);
    }
}
