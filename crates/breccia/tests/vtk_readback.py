"""Prints what VTK reads from a .vtp file as JSON; arrays as hex digits of their bytes."""

import json
import sys

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader


def array(data):
    values = vtk_to_numpy(data)
    kind = numpy.dtype(values.dtype).name
    return {"type": kind, "components": data.GetNumberOfComponents(), "hex": values.tobytes().hex()}


def fields(attributes):
    arrays = [attributes.GetArray(i) for i in range(attributes.GetNumberOfArrays())]
    return {a.GetName(): array(a) for a in arrays}


def cells(cell_array):
    if cell_array is None or cell_array.GetNumberOfCells() == 0:
        return []
    points = vtk_to_numpy(cell_array.GetConnectivityArray()).tolist()
    ends = vtk_to_numpy(cell_array.GetOffsetsArray()).tolist()
    return [points[a:b] for a, b in zip(ends, ends[1:])]


def texts(attributes):
    arrays = [attributes.GetAbstractArray(i) for i in range(attributes.GetNumberOfArrays())]
    strings = [a for a in arrays if a.GetDataTypeAsString() == "string"]
    return {a.GetName(): [a.GetValue(i) for i in range(a.GetNumberOfValues())] for a in strings}


reader = vtkXMLPolyDataReader()
reader.SetFileName(sys.argv[1])
reader.Update()
data = reader.GetOutput()
time = data.GetFieldData().GetArray("TimeValue")
points = data.GetPoints()
nothing = {"type": "float64", "components": 3, "hex": ""}
found = {
    "time": None if time is None else array(time)["hex"],
    "texts": texts(data.GetFieldData()),
    "points": array(points.GetData()) if points is not None and points.GetNumberOfPoints() else nothing,
    "vertices": cells(data.GetVerts()),
    "lines": cells(data.GetLines()),
    "polys": cells(data.GetPolys()),
    "point_fields": fields(data.GetPointData()),
    "cell_fields": fields(data.GetCellData()),
}
json.dump(found, sys.stdout)
